// A hint for the memory system. Plain, and static: instruction-set-specific units include this header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// Asks for the cache line of an address that is read soon. It need not exist. Assembler, because GCC takes a function
// that does nothing but __builtin_prefetch for one without effect, and leaves its calls out.
static inline __attribute__((always_inline)) void prefetch_line(const std::uint8_t* address) {
#if defined(__x86_64__)
  asm volatile("prefetcht0 %0" : : "m"(*address));
#elif defined(__aarch64__)
  asm volatile("prfm pldl1keep, [%0]" : : "r"(address));
#else
  __builtin_prefetch(address);
#endif
}

// The same for bytes.
static inline __attribute__((always_inline)) void prefetch(const std::uint8_t* address, std::size_t bytes) {
  constexpr std::size_t kCacheLine = 64;
  for (std::size_t i = 0; i < bytes; i += kCacheLine) prefetch_line(address + i);
}

}  // namespace minfer
