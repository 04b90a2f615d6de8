#include <fmt/core.h>

#include <cmath>
#include <random>

#include "minfer/error.h"
#include "minfer/sampling.h"
#include "sampling/logit_bias.h"
#include "sampling/penalties.h"
#include "sampling/random.h"
#include "sampling/truncation.h"

namespace minfer {
namespace {

void check_range(const char* name, double value, double min, double max) {
  if (!(value >= min && value <= max))
    throw InvalidRequestError(fmt::format("{} is {}, not between {} and {}", name, value, min, max));
}

void check(const SamplingParams& params, int n_vocab) {
  check_range("temperature", params.temperature, 0, 1000);
  check_range("top_k", params.top_k, 0, INT32_MAX);
  check_range("top_p", params.top_p, 0, 1);
  check_range("min_p", params.min_p, 0, 1);
  check_range("repeat_penalty", params.repeat_penalty, 1e-3, 1000);
  check_range("presence_penalty", params.presence_penalty, -1000, 1000);
  check_range("frequency_penalty", params.frequency_penalty, -1000, 1000);
  check_range("repeat_last_n", params.repeat_last_n, -1, INT32_MAX);
  check_range("seed", static_cast<double>(params.seed), -1, 0x1p63);
  for (const auto& [id, bias] : params.logit_bias) {
    check_range("logit_bias token", id, 0, n_vocab - 1);
    if (std::isnan(bias))
      throw InvalidRequestError(fmt::format("logit_bias of token {} is not a number", id));
  }
}

std::int64_t random_seed() {
  std::random_device device;
  return static_cast<std::int64_t>((std::uint64_t{device()} << 31) ^ device());
}

// The order is llama.cpp's: penalties, top-k, top-p, min-p, temperature.
std::vector<std::unique_ptr<SamplerStep>> make_chain(const SamplingParams& params) {
  std::vector<std::unique_ptr<SamplerStep>> chain;
  if (!params.logit_bias.empty()) chain.push_back(std::make_unique<LogitBiasStep>(params.logit_bias));
  const bool penalize =
      params.repeat_penalty != 1.0f || params.presence_penalty != 0.0f || params.frequency_penalty != 0.0f;
  if (penalize && params.repeat_last_n != 0)
    chain.push_back(std::make_unique<PenaltyStep>(PenaltyParams{
        params.repeat_last_n, params.repeat_penalty, params.frequency_penalty, params.presence_penalty}));
  if (params.temperature == 0.0f) return chain;
  if (params.top_k > 0) chain.push_back(std::make_unique<TopKStep>(params.top_k));
  if (params.top_p < 1.0f) chain.push_back(std::make_unique<TopPStep>(params.top_p));
  if (params.min_p > 0.0f) chain.push_back(std::make_unique<MinPStep>(params.min_p));
  return chain;
}

// Where only the highest logits count from the first step on, the others need not be looked at twice.
void assign(Candidates& candidates, std::span<const float> logits,
            const std::vector<std::unique_ptr<SamplerStep>>& chain, bool greedy) {
  const std::size_t n = chain.empty() ? (greedy ? 1 : 0) : chain.front()->n_highest();
  if (n > 0 && n < logits.size() / 8) {
    candidates.assign_highest(logits, n);
  } else {
    candidates.assign(logits);
  }
}

TokenId draw(const Candidates& candidates, double sum, double uniform) {
  double remaining = uniform * sum;
  for (const Candidate& candidate : candidates.items()) {
    remaining -= candidate.weight;
    if (remaining < 0) return candidate.id;
  }
  return candidates.items().back().id;
}

}  // namespace

struct Sampler::Impl {
  SamplingParams params;
  int n_vocab;
  std::uint64_t stream;
  std::vector<std::unique_ptr<SamplerStep>> chain;
  std::vector<TokenId> history;
  Candidates candidates;
};

Sampler::Sampler(const SamplingParams& params, int n_vocab, std::uint64_t stream) {
  check(params, n_vocab);
  impl_ = std::make_unique<Impl>(Impl{params, n_vocab, stream, make_chain(params), {}, {}});
  if (params.seed < 0) impl_->params.seed = random_seed();
}

Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

const SamplingParams& Sampler::params() const { return impl_->params; }

void Sampler::accept(std::span<const TokenId> tokens) {
  impl_->history.insert(impl_->history.end(), tokens.begin(), tokens.end());
}

TokenId Sampler::sample(std::span<const float> logits) {
  if (logits.size() != static_cast<std::size_t>(impl_->n_vocab))
    throw InvalidRequestError(fmt::format("{} logits for a vocabulary of {}", logits.size(), impl_->n_vocab));
  Candidates& candidates = impl_->candidates;
  assign(candidates, logits, impl_->chain, impl_->params.temperature == 0.0f);
  for (const auto& step : impl_->chain) step->apply(candidates, impl_->history);

  TokenId token = 0;
  if (impl_->params.temperature == 0.0f) {
    token = candidates.highest();
  } else {
    for (Candidate& candidate : candidates.items()) candidate.logit /= impl_->params.temperature;
    const double sum = candidates.weigh();
    token = draw(
        candidates, sum,
        random_uniform(static_cast<std::uint64_t>(impl_->params.seed), impl_->stream, impl_->history.size()));
  }
  impl_->history.push_back(token);
  return token;
}

std::string Sampler::description() const {
  std::string text;
  for (const auto& step : impl_->chain) text += step->description() + " -> ";
  if (impl_->params.temperature == 0.0f) return text + "greedy";
  return text + fmt::format("temperature {} (seed {})", impl_->params.temperature, impl_->params.seed);
}

}  // namespace minfer
