#include "base/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace minfer {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t i) { return static_cast<std::uint8_t>(text[i]); }

std::string escaped_byte(std::uint8_t byte) {
  switch (byte) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\\':
      return "\\\\";
    default:
      return fmt::format("\\x{:02x}", byte);
  }
}

// U+0080..U+009F are control characters for a terminal too.
bool is_control(std::string_view character) {
  const std::uint8_t first = byte_at(character, 0);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && byte_at(character, 1) < 0xa0;
}

std::string escaped(std::string_view text, std::size_t max_bytes, bool escape_backslash) {
  std::string out;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t length = utf8_length(text.substr(i));
    const std::string_view character = text.substr(i, length ? length : 1);
    if (i + character.size() > max_bytes) return out + "...";
    if (length == 0 || is_control(character) || (escape_backslash && character == "\\"))
      for (char c : character) out += escaped_byte(static_cast<std::uint8_t>(c));
    else
      out += character;
    i += character.size();
  }
  return out;
}

}  // namespace

std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const std::uint8_t first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  const std::uint8_t second = byte_at(text, 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond_unicode = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond_unicode ? 0 : length;
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  return escaped(text, max_bytes, /*escape_backslash=*/true);
}

std::string one_line(std::string_view message) {
  return escaped(message, std::string_view::npos, /*escape_backslash=*/false);
}

}  // namespace minfer
