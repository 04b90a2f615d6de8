// Defines kWords, after a words.h. a, b and c are the three arguments of 16 floats.
#include "backends/cpu/simd/generic/attention_words.inl"
#include "backends/cpu/word_list.h"

namespace minfer {
namespace {

inline void give(std::uint32_t* result, F32x16 value) {
  float lanes[kLanes];
  store(lanes, value);
  std::memcpy(result, lanes, sizeof(lanes));
}
inline void give(std::uint32_t* result, float value) { std::memcpy(result, &value, sizeof(value)); }
inline void give(std::uint32_t* result, std::int32_t value) { std::memcpy(result, &value, sizeof(value)); }
// Integer vectors have no store of all their bits; their float values and sum show small and saturated ones.
inline void give(std::uint32_t* result, I32x16 value) {
  give(result, to_f32(value));
  result[0] ^= static_cast<std::uint32_t>(reduce_add(value));
}

// Row `row` of the transposed matrix whose row i is a rotated by i lanes (plus b in odd rows).
inline F32x16 transposed_row(F32x16 a, F32x16 b, int row) {
  float twice[2 * kLanes];
  store(twice, a);
  store(twice + kLanes, a);
  F32x16 rows[kLanes];
  for (int i = 0; i < kLanes; ++i) rows[i] = i % 2 == 0 ? load(twice + i) : add(load(twice + i), b);
  transpose(rows);
  return rows[row];
}

// Products of 16 rows, which are two blocks of bytes rotated by their number, with the first 32 bytes (never -128).
inline F32x16 products_of_columns(const std::int8_t* bytes, int block) {
  std::int8_t rows[kLanes][64], x[32];
  std::int32_t sum_x = 0;
  for (int i = 0; i < 32; ++i) sum_x += x[i] = bytes[i] == -128 ? std::int8_t{127} : bytes[i];
  F32x16 both[kLanes];
  for (int j = 0; j < kLanes; ++j) {
    for (int i = 0; i < 64; ++i) rows[j][i] = bytes[(7 * j + i) % 192];
    both[j] = load_two_blocks(rows[j], rows[j] + 32);
  }
  transpose(both);
  std::int8_t columns[8 * 64];
  for (int i = 0; i < 8; ++i) store_column(columns + i * 64, both[8 * block + i]);
  return dot_columns(columns, x, sum_x);
}

#define MINFER_WORD(name, gives_floats, expression)                                            \
  {                                                                                            \
    name, gives_floats, [](const float* arguments, std::uint32_t* result) {                    \
      [[maybe_unused]] const F32x16 a = load(arguments);                                       \
      [[maybe_unused]] const F32x16 b = load(arguments + kLanes);                              \
      [[maybe_unused]] const F32x16 c = load(arguments + 2 * kLanes);                          \
      [[maybe_unused]] const auto* bytes = reinterpret_cast<const std::int8_t*>(arguments);    \
      [[maybe_unused]] const auto* halves = reinterpret_cast<const std::uint16_t*>(arguments); \
      expression;                                                                              \
    }                                                                                          \
  }

constexpr test::NamedWord kWords[] = {
    MINFER_WORD("load and store", false, give(result, a)),
    MINFER_WORD("load_partial 0", false, give(result, load_partial(arguments, 0, 2.5f))),
    MINFER_WORD("load_partial 5", false, give(result, load_partial(arguments, 5, 2.5f))),
    MINFER_WORD("load_partial 8", false, give(result, load_partial(arguments, 8))),
    MINFER_WORD("load_partial 13", false, give(result, load_partial(arguments, 13))),
    MINFER_WORD("store_partial 3", false, store_partial(reinterpret_cast<float*>(result), a, 3)),
    MINFER_WORD("store_partial 11", false, store_partial(reinterpret_cast<float*>(result), a, 11)),
    MINFER_WORD("broadcast", false, give(result, broadcast(arguments[7]))),
    MINFER_WORD("add", true, give(result, add(a, b))),
    MINFER_WORD("sub", true, give(result, sub(a, b))),
    MINFER_WORD("mul", true, give(result, mul(a, b))),
    MINFER_WORD("div", true, give(result, div(a, b))),
    MINFER_WORD("fma", true, give(result, fma(a, b, c))),
    MINFER_WORD("fma_scalar", true, give(result, fma_scalar(arguments[0], arguments[16], arguments[32]))),
    MINFER_WORD("sqrt_scalar", true, give(result, sqrt_scalar(arguments[0]))),
    MINFER_WORD("max", true, give(result, max(a, b))),
    MINFER_WORD("min", true, give(result, min(a, b))),
    MINFER_WORD("abs", false, give(result, abs(a))),
    MINFER_WORD("negate", false, give(result, negate(a))),
    MINFER_WORD("select_less", false, give(result, select_less(a, b, b, c))),
    MINFER_WORD("select_less_equal", false, give(result, select_less_equal(a, b, b, c))),
    MINFER_WORD("add_to_exponent", false, give(result, add_to_exponent(a, b))),
    MINFER_WORD("find_equal", false, give(result, find_equal(a, b))),
    MINFER_WORD("first_lane", false, give(result, first_lane(a))),
    MINFER_WORD("reduce_add", true, give(result, reduce_add(a))),
    MINFER_WORD("reduce_max", true, give(result, reduce_max(a))),
    MINFER_WORD("reduce_add_4", true, reduce_add_4(reinterpret_cast<float*>(result), a, b, c, add(a, c))),
    MINFER_WORD("transpose 0", true, give(result, transposed_row(a, b, 0))),
    MINFER_WORD("transpose 3", true, give(result, transposed_row(a, b, 3))),
    MINFER_WORD("transpose 6", true, give(result, transposed_row(a, b, 6))),
    MINFER_WORD("transpose 9", true, give(result, transposed_row(a, b, 9))),
    MINFER_WORD("transpose 12", true, give(result, transposed_row(a, b, 12))),
    MINFER_WORD("transpose 15", true, give(result, transposed_row(a, b, 15))),
    MINFER_WORD("truncate", false, give(result, truncate(a))),
    MINFER_WORD("round_even", false, give(result, round_even(a))),
    MINFER_WORD("round_away", false, give(result, round_away(a))),
    MINFER_WORD("store_i8", false, store_i8(reinterpret_cast<std::int8_t*>(result), round_even(a))),
    MINFER_WORD("load_i8", false, give(result, load_i8(bytes))),
    MINFER_WORD("dot_i8x32", false, give(result, dot_i8x32(bytes, bytes + 32))),
    MINFER_WORD("dot_columns 0", false, give(result, products_of_columns(bytes, 0))),
    MINFER_WORD("dot_columns 1", false, give(result, products_of_columns(bytes, 1))),
    MINFER_WORD("load_f16", true, give(result, load_f16(halves))),
    MINFER_WORD("store_f16", false, store_f16(reinterpret_cast<std::uint16_t*>(result), a)),
    MINFER_WORD("f16_to_f32", true, give(result, f16_to_f32(halves[0]))),
    MINFER_WORD("f32_to_f16", false, give(result, static_cast<std::int32_t>(f32_to_f16(arguments[0])))),
};

}  // namespace
}  // namespace minfer
