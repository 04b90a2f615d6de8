#include "tokenizer/byte_alphabet.h"

#include <array>

namespace minfer {
namespace {

constexpr int kAlphabetEnd = 0x144;  // one past the last character

struct Alphabet {
  std::array<char, 512> utf8{};  // two bytes each; the second is unused for ASCII
  std::array<uint8_t, 256> length{};
  std::array<int16_t, kAlphabetEnd> byte_of{};  // by code point; -1: not in the alphabet

  constexpr Alphabet() {
    for (auto& byte : byte_of) byte = -1;
    int next_code_point = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
      add(byte, printable ? byte : next_code_point++);
    }
  }

  constexpr void add(int byte, int code_point) {
    byte_of[code_point] = static_cast<int16_t>(byte);
    const bool ascii = code_point < 0x80;
    utf8[2 * byte] = static_cast<char>(ascii ? code_point : 0xC0 | code_point >> 6);
    utf8[2 * byte + 1] = static_cast<char>(0x80 | (code_point & 0x3F));
    length[byte] = ascii ? 1 : 2;
  }
};

constexpr Alphabet kAlphabet;

}  // namespace

std::string_view byte_to_alphabet(uint8_t byte) {
  return {&kAlphabet.utf8[2 * byte], kAlphabet.length[byte]};
}

bool append_alphabet_bytes(std::string_view token, std::string& bytes) {
  const size_t before = bytes.size();
  for (size_t i = 0; i < token.size(); ++i) {
    int code_point = static_cast<uint8_t>(token[i]);
    if (code_point >= 0x80) {
      const bool two_bytes =
          (code_point & 0xE0) == 0xC0 && i + 1 < token.size() && (token[i + 1] & 0xC0) == 0x80;
      code_point = two_bytes ? (code_point & 0x1F) << 6 | (token[++i] & 0x3F) : kAlphabetEnd;
    }
    const int byte = code_point < kAlphabetEnd ? kAlphabet.byte_of[code_point] : -1;
    if (byte < 0) {
      bytes.resize(before);
      return false;
    }
    bytes += static_cast<char>(byte);
  }
  return true;
}

}  // namespace minfer
