// minfer tokenize and minfer detokenize: text to token ids and back. A file of nothing but a vocabulary is enough.
// Neither adds BOS or EOS.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "cli/command.h"

namespace minfer::cli {

struct TokenizeOptions {
  std::filesystem::path model;
  bool special = false;  // text such as <|im_end|> becomes the control token of that name
  bool json = false;     // a JSON array of strings comes from `in`, an array of id arrays goes to `out`
  std::string text;      // without json: what to tokenize; each token's id and text go to `out`, one a line
};

struct DetokenizeOptions {
  std::filesystem::path model;
  bool hide_special = false;  // leave control tokens out of the text
};

// Both throw what gguf::File::open and load_tokenizer throw, and InvalidRequestError for input that is not as it
// should be, naming the element.
void tokenize(const TokenizeOptions& options, std::istream& in, std::ostream& out);
// A JSON array of id arrays from `in`, an array of strings to `out` (bytes that are no text as U+FFFD).
void detokenize(const DetokenizeOptions& options, std::istream& in, std::ostream& out);

CommandBody declare_tokenize(CLI::App& parser);
CommandBody declare_detokenize(CLI::App& parser);

}  // namespace minfer::cli
