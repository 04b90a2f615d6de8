#include "cli/sampling_options.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdlib>

#include "cli/command.h"

namespace minfer::cli {
namespace {

std::pair<TokenId, float> parse_bias(const std::string& text) {
  TokenId id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc() && end != text.data() + text.size() && *end == '=') {
    char* rest = nullptr;
    const float bias = std::strtof(end + 1, &rest);
    if (rest != end + 1 && *rest == '\0') return {id, bias};
  }
  throw UsageError(fmt::format("logit bias \"{}\" is not of the form ID=BIAS", text));
}

}  // namespace

void add_sampling_options(CLI::App& parser, SamplingOptions& options) {
  SamplingParams& p = options.params;
  parser.add_option("--temp,--temperature", p.temperature, "Randomness; 0 takes the likeliest token")
      ->capture_default_str();
  parser.add_option("--top-k", p.top_k, "Only the k likeliest tokens; 0: all")->capture_default_str();
  parser.add_option("--top-p", p.top_p, "Only the likeliest tokens that sum to this probability; 1: all")
      ->capture_default_str();
  parser.add_option("--min-p", p.min_p, "Only tokens this likely relative to the likeliest; 0: all")
      ->capture_default_str();
  parser.add_option("--repeat-penalty", p.repeat_penalty, "Penalty on tokens seen recently; 1: none")
      ->capture_default_str();
  parser.add_option("--repeat-last-n", p.repeat_last_n, "Tokens that penalties look back on; -1: all")
      ->capture_default_str();
  parser.add_option("--presence-penalty", p.presence_penalty, "Subtracted from logits of tokens seen")
      ->capture_default_str();
  parser.add_option("--frequency-penalty", p.frequency_penalty, "Subtracted for each time a token was seen")
      ->capture_default_str();
  parser.add_option("--logit-bias", options.logit_bias, "Add BIAS to the logit of token ID; may be repeated")
      ->type_name("ID=BIAS")
      ->allow_extra_args(false);  // what follows is the prompt, not another bias
  parser.add_option("-s,--seed", p.seed, "Seed; -1: a random one, which --show-settings prints")
      ->capture_default_str();
}

SamplingParams sampling_params(const SamplingOptions& options) {
  SamplingParams params = options.params;
  for (const std::string& text : options.logit_bias) params.logit_bias.push_back(parse_bias(text));
  return params;
}

}  // namespace minfer::cli
