// GPT-2's byte alphabet, in which byte-level BPE vocabularies write their tokens: each byte is one printable
// character. 0x21-0x7E, 0xA1-0xAC and 0xAE-0xFF stand for themselves; the other 68 bytes, in ascending order,
// are U+0100, U+0101, ... (so a space is U+0120, "Ġ").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace minfer {

// The character of a byte as UTF-8.
std::string_view byte_to_alphabet(uint8_t byte);

// Appends the bytes that `token` stands for, or appends nothing and answers false if it has other characters.
bool append_alphabet_bytes(std::string_view token, std::string& bytes);

}  // namespace minfer
