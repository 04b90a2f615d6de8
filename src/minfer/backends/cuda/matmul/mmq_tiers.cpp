#include "backends/cuda/matmul/mmq_tiers.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "backends/cuda/matmul/mmq.h"

namespace minfer::cuda {
namespace {

// Hopper's limit was measured (docs/performance.md). The others follow from the vendor's rates: GPUs for data centres
// multiply float16 at half the rate of int8, whose scales cost the rest of that advantage; on others, float16 with
// float32 sums runs at a quarter, and int8 always pays.
constexpr std::array kTiers = {
    MmqTier{70, "Volta", 0},
    MmqTier{75, "Turing", 0},  // has int8 products, but of another shape
    MmqTier{80, "Ampere (data centre)", 256},
    MmqTier{86, "Ampere", kAnyTokens},
    MmqTier{89, "Ada", kAnyTokens},
    MmqTier{90, "Hopper", 64},
    MmqTier{100, "Blackwell (data centre)", 256},
    MmqTier{110, "Blackwell", kAnyTokens},
};

std::size_t bytes_of_tile(DType type, int tile_tokens) {
  return static_cast<std::size_t>(find_mmq_variant(type, tile_tokens, false).shared_bytes);
}

}  // namespace

const MmqTier* find_mmq_tier(int compute_capability) {
  const MmqTier* found = nullptr;
  for (const MmqTier& tier : kTiers)
    if (tier.from_capability <= compute_capability) found = &tier;
  return found;
}

MmqChoice choose_mmq(const DeviceLimits& limits, DType type, std::int64_t n_tokens, bool any_tokens) {
  const MmqTier* tier = find_mmq_tier(limits.compute_capability);
  if (!tier || tier->max_tokens == 0) return {0, "needs compute capability 8.0"};
  if (!has_mmq(type)) return {0, fmt::format("no int8 kernel for weights of type {}", dtype_name(type))};
  if (n_tokens > tier->max_tokens && !any_tokens)
    return {0, fmt::format("slower than float16 from {} tokens on ({})", tier->max_tokens + 1, tier->name)};
  MmqChoice choice;
  for (const int tile : kMmqTiles)
    if (bytes_of_tile(type, tile) <= limits.shared_per_block &&
        (choice.tile_tokens == 0 || n_tokens > tile / 2))
      choice.tile_tokens = tile;
  if (choice.tile_tokens == 0)
    choice.refusal = fmt::format("a tile takes {} bytes of shared memory, a block has {}",
                                 bytes_of_tile(type, kMmqTiles[0]), limits.shared_per_block);
  return choice;
}

}  // namespace minfer::cuda
