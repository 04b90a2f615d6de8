// The 12 bytes in which Q4_K and Q5_K hold a 6-bit scale and a 6-bit minimum for each of 8 groups:
//   i < 4:  scale i = low 6 bits of byte i;  minimum i = low 6 bits of byte i + 4
//   i >= 4: scale i = low nibble of byte i + 4, upper two bits from bits 6-7 of byte i - 4;
//           minimum i = high nibble of byte i + 4, upper two bits from bits 6-7 of byte i
// Functions are static: instruction-set-specific units may include this header.
#pragma once

#include <cstdint>

namespace minfer {

static inline void unpack_k_scales(const std::uint8_t packed[12], std::uint8_t scales[8],
                                   std::uint8_t mins[8]) {
  for (int i = 0; i < 4; ++i) {
    scales[i] = packed[i] & 63;
    mins[i] = packed[i + 4] & 63;
    scales[i + 4] = static_cast<std::uint8_t>((packed[i + 8] & 15) | (packed[i] >> 6) << 4);
    mins[i + 4] = static_cast<std::uint8_t>(packed[i + 8] >> 4 | (packed[i + 4] >> 6) << 4);
  }
}

static inline void pack_k_scales(const std::uint8_t scales[8], const std::uint8_t mins[8],
                                 std::uint8_t packed[12]) {
  for (int i = 0; i < 4; ++i) {
    packed[i] = static_cast<std::uint8_t>(scales[i] | (scales[i + 4] >> 4) << 6);
    packed[i + 4] = static_cast<std::uint8_t>(mins[i] | (mins[i + 4] >> 4) << 6);
    packed[i + 8] = static_cast<std::uint8_t>((scales[i + 4] & 15) | (mins[i + 4] & 15) << 4);
  }
}

}  // namespace minfer
