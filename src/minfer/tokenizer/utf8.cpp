#include "tokenizer/utf8.h"

#include <cstring>

namespace minfer {
namespace {

struct LeadByte {
  uint8_t length;      // of the whole sequence; 0: no character starts so
  uint8_t second_min;  // bounds of the second byte: they exclude overlong forms, surrogates and > U+10FFFF
  uint8_t second_max;
  uint8_t bits;  // of the lead byte that belong to the code point
};

constexpr LeadByte lead_byte(uint8_t byte) {
  if (byte < 0x80) return {1, 0, 0, 0x7F};
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF, 0x1F};
  if (byte == 0xE0) return {3, 0xA0, 0xBF, 0x0F};
  if (byte == 0xED) return {3, 0x80, 0x9F, 0x0F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF, 0x0F};
  if (byte == 0xF0) return {4, 0x90, 0xBF, 0x07};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF, 0x07};
  if (byte == 0xF4) return {4, 0x80, 0x8F, 0x07};
  return {0, 0, 0, 0};
}

// The length of the valid text that `bytes` start with.
size_t valid_prefix(std::string_view bytes) {
  size_t at = 0;
  while (at < bytes.size()) {
    uint64_t word;
    if (at + sizeof(word) <= bytes.size()) {
      std::memcpy(&word, bytes.data() + at, sizeof(word));
      if ((word & 0x8080808080808080u) == 0) {
        at += sizeof(word);
        continue;
      }
    }
    const Utf8Step step = decode_utf8(bytes.substr(at));
    if (step.status != Utf8Status::kValid) break;
    at += step.length;
  }
  return at;
}

}  // namespace

Utf8Step decode_utf8(std::string_view bytes) {
  const auto first = static_cast<uint8_t>(bytes[0]);
  const LeadByte lead = lead_byte(first);
  if (lead.length == 0) return {Utf8Status::kInvalid, 1, 0};
  char32_t code_point = first & lead.bits;
  for (uint8_t i = 1; i < lead.length; ++i) {
    if (i == bytes.size()) return {Utf8Status::kTruncated, i, 0};
    const auto byte = static_cast<uint8_t>(bytes[i]);
    const uint8_t min = i == 1 ? lead.second_min : 0x80;
    const uint8_t max = i == 1 ? lead.second_max : 0xBF;
    if (byte < min || byte > max) return {Utf8Status::kInvalid, i, 0};
    code_point = code_point << 6 | (byte & 0x3Fu);
  }
  return {Utf8Status::kValid, lead.length, code_point};
}

bool is_valid_utf8(std::string_view bytes) { return valid_prefix(bytes) == bytes.size(); }

std::string replace_invalid_utf8(std::string_view bytes, std::span<size_t> offsets) {
  std::string text;
  text.reserve(bytes.size());
  size_t at = 0;
  size_t next_offset = 0;
  const auto move_offsets = [&](size_t end, bool copied) {  // those up to `end` of the input
    for (; next_offset < offsets.size() && offsets[next_offset] <= end; ++next_offset) {
      offsets[next_offset] = text.size() - (copied ? end - offsets[next_offset] : 0);
    }
  };
  while (at < bytes.size()) {
    const size_t valid = valid_prefix(bytes.substr(at));
    text.append(bytes, at, valid);
    at += valid;
    move_offsets(at, true);
    if (at == bytes.size()) break;
    const Utf8Step step = decode_utf8(bytes.substr(at));
    text.append(kReplacementCharacter);
    at += step.length;
    move_offsets(at, false);
  }
  move_offsets(at, true);
  return text;
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += {static_cast<char>(0xC0 | code_point >> 6), tail(0)};
  } else if (code_point < 0x10000) {
    text += {static_cast<char>(0xE0 | code_point >> 12), tail(6), tail(0)};
  } else {
    text += {static_cast<char>(0xF0 | code_point >> 18), tail(12), tail(6), tail(0)};
  }
}

}  // namespace minfer
