// A hint for the memory system. Plain, and static: instruction-set-specific units include this header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// Asks for bytes that are read soon. They need not exist.
static inline void prefetch(const std::uint8_t* address, std::size_t bytes) {
  constexpr std::size_t kCacheLine = 64;
  for (std::size_t i = 0; i < bytes; i += kCacheLine) __builtin_prefetch(address + i);
}

}  // namespace minfer
