// UTF-8 as the WHATWG encoding standard decodes it (also Unicode 15, table 3-7 and section 3.9, "substitution
// of maximal subparts"): every maximal prefix of a valid sequence that does not go on is one U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace minfer {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

enum class Utf8Status : uint8_t {
  kValid,      // one character of `length` bytes
  kInvalid,    // `length` bytes that become one U+FFFD
  kTruncated,  // the bytes end within a character: all `length` of them are a proper prefix of one
};

struct Utf8Step {
  Utf8Status status;
  uint8_t length;       // 1-4
  char32_t code_point;  // of a valid character
};

// Reads the first character of `bytes`, which are not empty.
Utf8Step decode_utf8(std::string_view bytes);

bool is_valid_utf8(std::string_view bytes);

// The text with U+FFFD for what is invalid. `offsets` (ascending, at most bytes.size()) are positions in
// `bytes` that are rewritten to the same places in the result; one within an invalid sequence moves behind
// its U+FFFD.
std::string replace_invalid_utf8(std::string_view bytes, std::span<size_t> offsets = {});

void append_utf8(std::string& text, char32_t code_point);

}  // namespace minfer
