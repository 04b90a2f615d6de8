#include "cli/tokenize.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "base/printable.h"
#include "cli/output.h"
#include "gguf/file.h"
#include "minfer/error.h"
#include "runtime/vocab.h"

namespace minfer::cli {
namespace {

using Json = nlohmann::json;

Json read_array(std::istream& in, std::string_view of_what) {
  const Json json = Json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    throw InvalidRequestError(fmt::format("standard input is not JSON; expected is an array of {}", of_what));
  }
  if (!json.is_array()) {
    throw InvalidRequestError(
        fmt::format("standard input is a JSON {}; expected is an array of {}", json.type_name(), of_what));
  }
  return json;
}

void write_json(const Json& json, std::ostream& out) {
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json tokenize_all(const Tokenizer& tokenizer, const Json& texts, bool special) {
  Json result = Json::array();
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i].is_string()) {
      throw InvalidRequestError(fmt::format("element {} is a {}, not a string", i, texts[i].type_name()));
    }
    result.push_back(tokenizer.encode(texts[i].get_ref<const std::string&>(), special));
  }
  return result;
}

void print_tokens(const Tokenizer& tokenizer, const TokenizeOptions& options, std::ostream& out) {
  for (int32_t id : tokenizer.encode(options.text, options.special)) {
    fmt::print(out, "{:>7}  \"{}\"\n", id, printable(tokenizer.token_bytes(id)));
  }
}

std::vector<int32_t> read_ids(const Json& ids, size_t element, int32_t vocab_size) {
  if (!ids.is_array()) {
    throw InvalidRequestError(
        fmt::format("element {} is a {}, not an array of token ids", element, ids.type_name()));
  }
  std::vector<int32_t> result;
  result.reserve(ids.size());
  for (const Json& id : ids) {
    if (!id.is_number_unsigned() || id.get<uint64_t>() >= static_cast<uint64_t>(vocab_size)) {
      throw InvalidRequestError(
          fmt::format("element {} has {} where a token id from 0 to {} is expected", element,
                      id.is_number() ? id.dump() : fmt::format("a {}", id.type_name()), vocab_size - 1));
    }
    result.push_back(id.get<int32_t>());
  }
  return result;
}

std::unique_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& model) {
  return load_tokenizer(gguf::File::open(model)->reader());
}

}  // namespace

void tokenize(const TokenizeOptions& options, std::istream& in, std::ostream& out) {
  const auto tokenizer = open_tokenizer(options.model);
  if (options.json) {
    write_json(tokenize_all(*tokenizer, read_array(in, "strings"), options.special), out);
  } else {
    print_tokens(*tokenizer, options, out);
  }
}

void detokenize(const DetokenizeOptions& options, std::istream& in, std::ostream& out) {
  const auto tokenizer = open_tokenizer(options.model);
  const Json lists = read_array(in, "arrays of token ids");
  Json texts = Json::array();
  for (size_t i = 0; i < lists.size(); ++i) {
    texts.push_back(tokenizer->decode(read_ids(lists[i], i, tokenizer->vocab_size()), !options.hide_special));
  }
  write_json(texts, out);
}

CommandBody declare_tokenize(CLI::App& parser) {
  auto options = std::make_shared<TokenizeOptions>();
  parser.add_option("MODEL", options->model, "GGUF file; one with only a vocabulary is enough")->required();
  const CLI::Option* text = parser.add_option("TEXT", options->text, "Text to tokenize");
  parser.add_flag("--json", options->json,
                  "Read a JSON array of strings from standard input, print an array of arrays of ids");
  parser.add_flag("--special", options->special,
                  "Read control tokens such as <|im_end|> in the text as such");
  return [options, text] {
    if ((text->count() > 0) == options->json)
      throw UsageError(options->json ? "--json reads its texts from standard input"
                                     : "no text, and no --json");
    std::ostringstream out;
    tokenize(*options, std::cin, out);
    write_output(out.str());
    return 0;
  };
}

CommandBody declare_detokenize(CLI::App& parser) {
  auto options = std::make_shared<DetokenizeOptions>();
  parser.description(
      "Read a JSON array of arrays of token ids from standard input, print an array of strings");
  parser.add_option("MODEL", options->model, "GGUF file; one with only a vocabulary is enough")->required();
  parser.add_flag("--hide-special", options->hide_special, "Leave control tokens out of the text");
  return [options] {
    std::ostringstream out;
    detokenize(*options, std::cin, out);
    write_output(out.str());
    return 0;
  };
}

}  // namespace minfer::cli
