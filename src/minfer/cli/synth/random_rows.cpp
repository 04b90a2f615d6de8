#include "cli/synth/random_rows.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "minfer/error.h"
#include "quant/float16.h"
#include "quant/k_scales.h"
#include "quant/q4_0.h"
#include "quant/q4_1.h"
#include "quant/q4_k.h"
#include "quant/q5_0.h"
#include "quant/q5_1.h"
#include "quant/q5_k.h"
#include "quant/q6_k.h"
#include "quant/q8_0.h"

namespace minfer::cli {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio

// Standard deviation of n equally likely neighbouring integers.
float uniform_deviation(float n) { return std::sqrt((n * n - 1) / 12); }

template <std::size_t kSize>
void fill_bytes(BlockRandom& random, std::uint8_t (&bytes)[kSize]) {
  for (std::size_t i = 0; i < kSize; i += 8) {
    const std::uint64_t word = random.next();
    std::memcpy(bytes + i, &word, std::min<std::size_t>(8, kSize - i));
  }
}

// A block's scale: sizes spread by a factor of 2 around `scale`, which stays their root mean square.
float spread(BlockRandom& random, float scale) {
  constexpr float kRootMeanSquare = 1.0184f;  // of numbers uniform in 2/3 .. 4/3, sqrt(1 + 1 / 27)
  return scale / kRootMeanSquare * (1 + random.unit()) * (2.0f / 3);
}

// Codes of the types without a minimum are -n/2 .. n/2 - 1, of mean -1/2: scales of both signs cancel it.
float with_sign(BlockRandom& random, float scale) { return random.next() & 1 ? -scale : scale; }

// One value: a uniform distribution.
float random_value(BlockRandom& random, float deviation) {
  return (2 * random.unit() - 1) * std::sqrt(3.0f) * deviation;
}

struct ValueF32 {
  float value;
};
struct ValueF16 {
  std::uint16_t value;
};
struct ValueBF16 {
  std::uint16_t value;
};

void make(BlockRandom& random, float deviation, ValueF32& block) {
  block.value = random_value(random, deviation);
}
void make(BlockRandom& random, float deviation, ValueF16& block) {
  block.value = fp32_to_fp16(random_value(random, deviation));
}
void make(BlockRandom& random, float deviation, ValueBF16& block) {
  block.value = fp32_to_bf16(random_value(random, deviation));
}

void make(BlockRandom& random, float deviation, BlockQ4_0& block) {
  static const float kCodes = uniform_deviation(16);
  block.d = fp32_to_fp16(with_sign(random, spread(random, deviation / kCodes)));
  fill_bytes(random, block.qs);
}

void make(BlockRandom& random, float deviation, BlockQ4_1& block) {
  static const float kCodes = uniform_deviation(16);
  const float d = spread(random, deviation / kCodes);
  block.d = fp32_to_fp16(d);
  block.m = fp32_to_fp16(-7.5f * d);
  fill_bytes(random, block.qs);
}

void make(BlockRandom& random, float deviation, BlockQ5_0& block) {
  static const float kCodes = uniform_deviation(32);
  block.d = fp32_to_fp16(with_sign(random, spread(random, deviation / kCodes)));
  fill_bytes(random, block.qh);
  fill_bytes(random, block.qs);
}

void make(BlockRandom& random, float deviation, BlockQ5_1& block) {
  static const float kCodes = uniform_deviation(32);
  const float d = spread(random, deviation / kCodes);
  block.d = fp32_to_fp16(d);
  block.m = fp32_to_fp16(-15.5f * d);
  fill_bytes(random, block.qh);
  fill_bytes(random, block.qs);
}

void make(BlockRandom& random, float deviation, BlockQ8_0& block) {
  static const float kCodes = uniform_deviation(255);
  block.d = fp32_to_fp16(spread(random, deviation / kCodes));
  std::uint8_t bytes[32];
  fill_bytes(random, bytes);
  for (int i = 0; i < 32; ++i)  // the encoder never makes -128
    block.qs[i] = bytes[i] == 0x80 ? std::int8_t{0} : static_cast<std::int8_t>(bytes[i]);
}

// Q4_K and Q5_K, of codes 0 .. n_codes - 1: scales in 32..63, and minimums beside them (off by at most one, so that
// they differ) of which dmin makes the middle of the codes.
template <typename Block>
void make_affine(BlockRandom& random, float deviation, float n_codes, Block& block) {
  static const float kScales = std::sqrt(47.5f * 47.5f + 1023.0f / 12);  // root mean square of 32..63
  const float d = spread(random, deviation / (uniform_deviation(n_codes) * kScales));
  block.d = fp32_to_fp16(d);
  block.dmin = fp32_to_fp16(d * (n_codes - 1) / 2);
  std::uint8_t bytes[8], scales[8], mins[8];
  fill_bytes(random, bytes);
  for (int i = 0; i < 8; ++i) {
    scales[i] = static_cast<std::uint8_t>(32 + (bytes[i] & 31));
    mins[i] = scales[i] ^ (bytes[i] >> 7);
  }
  pack_k_scales(scales, mins, block.scales);
  fill_bytes(random, block.qs);
}

void make(BlockRandom& random, float deviation, BlockQ4_K& block) {
  make_affine(random, deviation, 16, block);
}

void make(BlockRandom& random, float deviation, BlockQ5_K& block) {
  make_affine(random, deviation, 32, block);
  fill_bytes(random, block.qh);
}

void make(BlockRandom& random, float deviation, BlockQ6_K& block) {
  static const float kScales = std::sqrt(95.5f * 95.5f + 4095.0f / 12);  // root mean square of 64..127
  block.d = fp32_to_fp16(spread(random, deviation / (uniform_deviation(64) * kScales)));
  std::uint8_t bytes[16];
  fill_bytes(random, bytes);
  for (int i = 0; i < 16; ++i) {
    const int size = 64 + (bytes[i] & 63);
    block.scales[i] = static_cast<std::int8_t>(bytes[i] & 0x80 ? -size : size);
  }
  fill_bytes(random, block.ql);
  fill_bytes(random, block.qh);
}

template <typename Block>
void fill_blocks(std::uint64_t key, float deviation, std::int64_t first_block, std::int64_t n_blocks,
                 std::byte* out) {
  for (std::int64_t i = first_block; i < first_block + n_blocks; ++i, out += sizeof(Block)) {
    BlockRandom random(key, static_cast<std::uint64_t>(i));
    Block block;
    make(random, deviation, block);
    std::memcpy(out, &block, sizeof(Block));
  }
}

struct Filler {
  DType type;
  void (*fill)(std::uint64_t key, float deviation, std::int64_t first_block, std::int64_t n_blocks,
               std::byte* out);
};

constexpr Filler kFillers[] = {
    {DType::kF32, fill_blocks<ValueF32>},   {DType::kF16, fill_blocks<ValueF16>},
    {DType::kBF16, fill_blocks<ValueBF16>}, {DType::kQ4_0, fill_blocks<BlockQ4_0>},
    {DType::kQ4_1, fill_blocks<BlockQ4_1>}, {DType::kQ5_0, fill_blocks<BlockQ5_0>},
    {DType::kQ5_1, fill_blocks<BlockQ5_1>}, {DType::kQ8_0, fill_blocks<BlockQ8_0>},
    {DType::kQ4_K, fill_blocks<BlockQ4_K>}, {DType::kQ5_K, fill_blocks<BlockQ5_K>},
    {DType::kQ6_K, fill_blocks<BlockQ6_K>},
};

}  // namespace

std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

BlockRandom::BlockRandom(std::uint64_t key, std::uint64_t block) : state_(mix_bits(key + block * kGolden)) {}

std::uint64_t BlockRandom::next() { return mix_bits(state_ += kGolden); }

float BlockRandom::unit() { return static_cast<float>(next() >> 40) * 0x1p-24f; }

void fill_random_rows(DType type, std::uint64_t key, float deviation, std::int64_t first_row,
                      std::int64_t n_rows, std::int64_t n_cols, std::byte* out) {
  const std::int64_t blocks_per_row = n_cols / dtype_info(type).block_values;
  for (const Filler& filler : kFillers)
    if (filler.type == type)
      return filler.fill(key, deviation, first_row * blocks_per_row, n_rows * blocks_per_row, out);
  throw UnsupportedError(fmt::format("random weights of type {} are not supported", dtype_name(type)));
}

}  // namespace minfer::cli
