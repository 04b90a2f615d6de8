// SMMLA: a register of codes holds eight of two rows, and is multiplied with as many activations of two tokens: four
// sums, of row 0 and tokens 0 and 1, of row 1 and tokens 0 and 1.
#pragma once

namespace minfer {
namespace {

constexpr int kUnits = 4;
constexpr int kUnitTokens = 2;
struct XCodes {
  int8x16_t low;   // activations 0-7 of both tokens
  int8x16_t high;  // 8-15
};

template <typename T>
inline void set_row(T* values, int row, T value) {
  values[2 * row] = values[2 * row + 1] = value;
}

inline int8x16_t low_halves(int8x16_t a, int8x16_t b) {
  return vreinterpretq_s8_s64(vzip1q_s64(vreinterpretq_s64_s8(a), vreinterpretq_s64_s8(b)));
}
inline int8x16_t high_halves(int8x16_t a, int8x16_t b) {
  return vreinterpretq_s8_s64(vzip2q_s64(vreinterpretq_s64_s8(a), vreinterpretq_s64_s8(b)));
}

inline void store_codes(const int8x16_t (&rows)[kRows], int group, int8x16_t (&target)[8]) {
  for (int pair = 0; pair < 2; ++pair) {
    target[2 * group + pair] = low_halves(rows[2 * pair], rows[2 * pair + 1]);
    target[4 + 2 * group + pair] = high_halves(rows[2 * pair], rows[2 * pair + 1]);
  }
}

inline XCodes load_codes(const std::uint8_t* x, std::size_t to_second) {
  const int8x16_t first = vreinterpretq_s8_u8(vld1q_u8(x));
  const int8x16_t second = vreinterpretq_s8_u8(vld1q_u8(x + to_second));
  return {low_halves(first, second), high_halves(first, second)};
}

inline void add_products(int32x4_t (&sum)[kUnits], const int8x16_t (&codes)[8], XCodes x) {
#pragma GCC unroll 4
  for (int u = 0; u < kUnits; ++u) {
    sum[u] = vmmlaq_s32(sum[u], codes[u], x.low);
    sum[u] = vmmlaq_s32(sum[u], codes[4 + u], x.high);
  }
}

inline float32x4_t token_floats(const std::uint8_t* x, std::size_t to_second) {
  const float32x4_t first = vdupq_n_f32(load_value<float>(x));
  return vzip1q_f32(first, vdupq_n_f32(load_value<float>(x + to_second)));
}
inline int16x4_t token_shorts(std::int16_t first, std::int16_t second) {
  return vzip1_s16(vdup_n_s16(first), vdup_n_s16(second));
}

// The last unit of an odd number of tokens holds the last one twice.
template <int T>
inline void to_rows(const float32x4_t (&unit)[kUnits], int first, float32x4_t (&rows)[T][kGroups]) {
  for (int g = 0; g < kGroups; ++g) {
    rows[first][g] = vuzp1q_f32(unit[2 * g], unit[2 * g + 1]);
    if (first + 1 < T) rows[first + 1][g] = vuzp2q_f32(unit[2 * g], unit[2 * g + 1]);
  }
}

}  // namespace
}  // namespace minfer
