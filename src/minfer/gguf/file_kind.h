// What a file that is not GGUF seems to be, so that the refusal can say so.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace minfer::gguf {

// The reason why these bytes are refused; empty if they start with the magic "GGUF".
std::string why_not_gguf(std::span<const std::byte> file);

}  // namespace minfer::gguf
