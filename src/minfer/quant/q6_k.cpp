#include "quant/q6_k.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "quant/block_codec.h"
#include "quant/float16.h"
#include "quant/quant_list.h"
#include "quant/range.h"
#include "quant/rounding.h"

namespace minfer {
namespace {

constexpr int kGroup = 16;
constexpr int kGroups = 16;
constexpr float kTiny = 1e-15f;  // a group whose largest magnitude is below this is all zero

int code_of(const BlockQ6_K& block, int j) {
  const int h = j / 128, s = j % 128 / 32, l = j % 32;
  const int low = (block.ql[64 * h + 32 * (s % 2) + l] >> (s / 2 * 4)) & 15;
  const int high = (block.qh[32 * h + l] >> (2 * s)) & 3;
  return (low | high << 4) - 32;
}

void decode_block(const BlockQ6_K& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  for (int i = 0; i < kGroups; ++i) {
    const float scale = d * static_cast<float>(block.scales[i]);
    for (int j = kGroup * i; j < kGroup * (i + 1); ++j)
      values[j] = scale * static_cast<float>(code_of(block, j));
  }
}

int nearest_code(float x) { return std::clamp(nearest_int(x), -32, 31); }

// Sums over a group, each value weighted by its square, for the codes that an inverse scale gives: the best
// scale for these codes is xl / l2, and the error falls as xl^2 / l2 grows.
struct CodeSums {
  float xl = 0.0f;
  float l2 = 0.0f;
};

CodeSums code_sums(const float* values, float inverse) {
  CodeSums sums;
  for (int j = 0; j < kGroup; ++j) {
    const auto code = static_cast<float>(nearest_code(inverse * values[j]));
    const float weight = values[j] * values[j];
    sums.xl += weight * values[j] * code;
    sums.l2 += weight * code * code;
  }
  return sums;
}

// Scale and codes (offset by 32) of a group.
float search_scale(const float* values, std::uint8_t* codes) {
  std::fill_n(codes, kGroup, std::uint8_t{0});
  const float extreme = extreme_value(values, kGroup);
  if (std::fabs(extreme) < kTiny) return 0.0f;
  float best_inverse = -32.0f / extreme;
  const CodeSums first = code_sums(values, best_inverse);
  float scale = first.l2 != 0.0f ? first.xl / first.l2 : 0.0f;
  float best = scale * first.xl;
  for (int i = -9; i <= 9; ++i) {
    if (i == 0) continue;
    const float inverse = -(32.0f + 0.1f * static_cast<float>(i)) / extreme;
    const CodeSums sums = code_sums(values, inverse);
    if (!(sums.l2 > 0.0f && sums.xl * sums.xl > best * sums.l2)) continue;
    scale = sums.xl / sums.l2;
    best = scale * sums.xl;
    best_inverse = inverse;
  }
  for (int j = 0; j < kGroup; ++j)
    codes[j] = static_cast<std::uint8_t>(32 + nearest_code(best_inverse * values[j]));
  return scale;
}

void pack_codes(const std::uint8_t* codes, BlockQ6_K& block) {
  for (int i = 0; i < 64; ++i) {
    const int h = i / 32, l = i % 32;
    const std::uint8_t* code = codes + 128 * h + l;
    block.ql[64 * h + l] = static_cast<std::uint8_t>((code[0] & 15) | (code[64] & 15) << 4);
    block.ql[64 * h + 32 + l] = static_cast<std::uint8_t>((code[32] & 15) | (code[96] & 15) << 4);
    block.qh[i] = static_cast<std::uint8_t>(code[0] >> 4 | code[32] >> 4 << 2 | code[64] >> 4 << 4 |
                                            code[96] >> 4 << 6);
  }
}

void encode_block(const float* values, BlockQ6_K& block) {
  float scales[kGroups];
  std::uint8_t codes[256];
  for (int i = 0; i < kGroups; ++i) scales[i] = search_scale(values + kGroup * i, codes + kGroup * i);
  const float largest = extreme_value(scales, kGroups);
  if (std::fabs(largest) < kTiny) {
    std::memset(&block, 0, sizeof(block));
    return;
  }
  const float inverse = -128.0f / largest;
  block.d = fp32_to_fp16(1.0f / inverse);
  for (int i = 0; i < kGroups; ++i) {
    block.scales[i] = static_cast<std::int8_t>(std::min(127, nearest_int(inverse * scales[i])));
    const float scale = fp16_to_fp32(block.d) * static_cast<float>(block.scales[i]);
    if (scale == 0.0f) continue;  // keeps the codes of the search
    for (int j = kGroup * i; j < kGroup * (i + 1); ++j)
      codes[j] = static_cast<std::uint8_t>(32 + nearest_code(values[j] / scale));
  }
  pack_codes(codes, block);
}

}  // namespace

const QuantTraits kQ6_KTraits = {DType::kQ6_K, decode_blocks<BlockQ6_K, decode_block>,
                                 encode_blocks<BlockQ6_K, encode_block>, DType::kQ8Row256};

}  // namespace minfer
