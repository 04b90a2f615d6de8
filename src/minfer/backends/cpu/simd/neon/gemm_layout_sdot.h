// SDOT: a register of codes holds four of each of four rows, and takes the same four activations to each: a lane of a
// register of 16 activations of one token.
#pragma once

namespace minfer {
namespace {

constexpr int kUnits = 2;
constexpr int kUnitTokens = 1;
using XCodes = int8x16_t;

template <typename T>
inline void set_row(T* values, int row, T value) {
  values[row] = value;
}

// Transposes the 32-bit words of four rows.
inline void store_codes(const int8x16_t (&rows)[kRows], int group, int8x16_t (&target)[8]) {
  const auto words = [&](int r) { return vreinterpretq_s32_s8(rows[r]); };
  const int64x2_t low01 = vreinterpretq_s64_s32(vzip1q_s32(words(0), words(1)));
  const int64x2_t high01 = vreinterpretq_s64_s32(vzip2q_s32(words(0), words(1)));
  const int64x2_t low23 = vreinterpretq_s64_s32(vzip1q_s32(words(2), words(3)));
  const int64x2_t high23 = vreinterpretq_s64_s32(vzip2q_s32(words(2), words(3)));
  target[group] = vreinterpretq_s8_s64(vzip1q_s64(low01, low23));
  target[2 + group] = vreinterpretq_s8_s64(vzip2q_s64(low01, low23));
  target[4 + group] = vreinterpretq_s8_s64(vzip1q_s64(high01, high23));
  target[6 + group] = vreinterpretq_s8_s64(vzip2q_s64(high01, high23));
}

inline XCodes load_codes(const std::uint8_t* x, std::size_t) { return vreinterpretq_s8_u8(vld1q_u8(x)); }

inline void add_products(int32x4_t (&sum)[kUnits], const int8x16_t (&codes)[8], XCodes x) {
#pragma GCC unroll 2
  for (int u = 0; u < kUnits; ++u) {
    sum[u] = vdotq_laneq_s32(sum[u], codes[u], x, 0);
    sum[u] = vdotq_laneq_s32(sum[u], codes[2 + u], x, 1);
    sum[u] = vdotq_laneq_s32(sum[u], codes[4 + u], x, 2);
    sum[u] = vdotq_laneq_s32(sum[u], codes[6 + u], x, 3);
  }
}

inline float32x4_t token_floats(const std::uint8_t* x, std::size_t) {
  return vdupq_n_f32(load_value<float>(x));
}
inline int16x4_t token_shorts(std::int16_t first, std::int16_t) { return vdup_n_s16(first); }

template <int T>
inline void to_rows(const float32x4_t (&unit)[kUnits], int first, float32x4_t (&rows)[T][kGroups]) {
  for (int g = 0; g < kGroups; ++g) rows[first][g] = unit[g];
}

}  // namespace
}  // namespace minfer
