#include "cli/token_list.h"

#include <fmt/core.h>

#include <charconv>

#include "cli/command.h"

namespace minfer::cli {

std::vector<TokenId> parse_token_list(std::string_view text) {
  std::vector<TokenId> tokens;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    TokenId token = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), token);
    if (error != std::errc() || end != part.data() + part.size() || token < 0)
      throw UsageError(fmt::format("\"{}\" is not a token id", part));
    tokens.push_back(token);
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return tokens;
}

}  // namespace minfer::cli
