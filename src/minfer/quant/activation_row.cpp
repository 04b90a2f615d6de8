#include "quant/activation_row.h"

#include <numeric>

#include "quant/float16.h"
#include "quant/q8_group.h"

namespace minfer {
namespace {

void write_sums(const std::int8_t* q, std::int16_t* sums, std::size_t k, std::size_t width) {
  for (std::size_t i = 0; i < k / width; ++i)
    sums[i] = static_cast<std::int16_t>(std::accumulate(q + i * width, q + (i + 1) * width, 0));
}

template <std::size_t kGroup, std::size_t kSumWidth, typename Quantize>
void encode_row(const float* values, void* row, std::size_t k, Quantize quantize) {
  auto* bytes = static_cast<std::byte*>(row);
  auto* q = reinterpret_cast<std::int8_t*>(bytes);
  auto* d = reinterpret_cast<float*>(bytes + activation_scales_offset(k));
  for (std::size_t i = 0; i < k / kGroup; ++i) d[i] = quantize(values + i * kGroup, q + i * kGroup);
  write_sums(q, reinterpret_cast<std::int16_t*>(bytes + activation_sums_offset(k, kGroup)), k, kSumWidth);
}

template <std::size_t kGroup>
void decode_row(const void* row, float* values, std::size_t k) {
  const auto* bytes = static_cast<const std::byte*>(row);
  const auto* q = reinterpret_cast<const std::int8_t*>(bytes);
  const auto* d = reinterpret_cast<const float*>(bytes + activation_scales_offset(k));
  for (std::size_t i = 0; i < k; ++i) values[i] = d[i / kGroup] * static_cast<float>(q[i]);
}

float quantize_to_float16_scale(const float* values, std::int8_t* q) {
  return fp16_to_fp32(fp32_to_fp16(quantize_group_32(values, q)));
}

}  // namespace

void encode_q8_row32(const float* values, void* row, std::int64_t k) {
  encode_row<32, 32>(values, row, static_cast<std::size_t>(k), quantize_to_float16_scale);
}

void decode_q8_row32(const void* row, float* values, std::int64_t k) {
  decode_row<32>(row, values, static_cast<std::size_t>(k));
}

void encode_q8_row256(const float* values, void* row, std::int64_t k) {
  encode_row<256, 16>(values, row, static_cast<std::size_t>(k), quantize_group_256);
}

void decode_q8_row256(const void* row, float* values, std::int64_t k) {
  decode_row<256>(row, values, static_cast<std::size_t>(k));
}

}  // namespace minfer
