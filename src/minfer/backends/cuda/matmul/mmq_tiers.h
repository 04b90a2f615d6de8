// Which GPUs multiply many tokens on int8 tensor cores, and how: a table by compute capability, and the tiles that a
// GPU's shared memory holds. Needs no GPU.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "backends/cuda/device/limits.h"
#include "tensor/dtype.h"

namespace minfer::cuda {

inline constexpr std::int64_t kAnyTokens = std::numeric_limits<std::int64_t>::max();

struct MmqTier {
  int from_capability;    // up to the next tier's
  std::string_view name;  // "Hopper"
  std::int64_t
      max_tokens;  // beyond them float16 products are faster; kAnyTokens: they never are; 0: no such instruction
};
// Null below the first tier.
const MmqTier* find_mmq_tier(int compute_capability);

// How a product of n_tokens with a matrix of the type runs, or why it does not. any_tokens leaves the tier's limit out
// (MINFER_MMQ=1).
struct MmqChoice {
  int tile_tokens = 0;  // 0: refused
  std::string refusal;
};
MmqChoice choose_mmq(const DeviceLimits& limits, DType type, std::int64_t n_tokens, bool any_tokens);

}  // namespace minfer::cuda
