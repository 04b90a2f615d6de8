#include "cli/bench/number_list.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdint>

#include "cli/command.h"

namespace minfer::cli {
namespace {

struct NumberRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  char op = '+';
  std::int64_t step = 1;
};

// Takes a number off the front of `text`.
bool take_number(std::string_view& text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.starts_with('-')) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool parse_range(std::string_view text, NumberRange& range) {
  if (!take_number(text, range.first)) return false;
  range.last = range.first;
  if (text.empty()) return true;
  if (!text.starts_with('-')) return false;
  text.remove_prefix(1);
  if (!take_number(text, range.last)) return false;
  if (text.empty()) return range.last >= range.first;
  range.op = text.front();
  text.remove_prefix(1);
  if (!take_number(text, range.step) || !text.empty()) return false;
  // A range that would not grow never ends.
  const bool grows =
      range.op == '+' ? range.step >= 1 : range.op == '*' && range.step >= 2 && range.first >= 1;
  return grows && range.last >= range.first;
}

}  // namespace

std::vector<int> parse_number_list(std::string_view text, int min, int max) {
  std::vector<int> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    NumberRange range;
    if (!parse_range(part, range))
      throw UsageError(
          fmt::format("\"{}\" is neither a number nor a range such as 1-8, 1-8+2 or 1-64*2", part));
    if (range.first < min || range.last > max)
      throw UsageError(fmt::format("\"{}\" is not within {} to {}", part, min, max));
    for (std::int64_t n = range.first; n <= range.last; n = range.op == '+' ? n + range.step : n * range.step)
      numbers.push_back(static_cast<int>(n));
    begin = end + 1;
  }
  return numbers;
}

}  // namespace minfer::cli
