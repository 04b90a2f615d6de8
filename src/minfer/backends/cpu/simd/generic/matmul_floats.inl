// The matrix product with float weights, written once for all instruction sets in the words of words.h. Included
// by a unit inside namespace minfer { namespace {. A Format says how weights are read:
//   kElementBytes
//   F32x16 load(const std::uint8_t*)
//   F32x16 load_partial(const std::uint8_t*, int n)     n < 16 values, then zeros; reads no other memory

constexpr std::int64_t kFloatRowBlock = 32;  // rows that stay in cache while all tokens pass by

// kRows rows by kTokens tokens, each output with an accumulator of its own.
template <class Format, int kRowCount, int kTokenCount>
inline void matmul_float_tile(const MatMulRows& m, std::int64_t first_row, std::int64_t first_token) {
  const std::uint8_t* w = m.weights + static_cast<std::size_t>(first_row) * m.row_stride;
  const std::uint8_t* x = m.x + static_cast<std::size_t>(first_token) * m.x_stride;
  F32x16 acc[kRowCount][kTokenCount];
  for (int r = 0; r < kRowCount; ++r)
    for (int t = 0; t < kTokenCount; ++t) acc[r][t] = zeros();
  const auto x_row = [&](int t, std::int64_t i) {
    return reinterpret_cast<const float*>(x + static_cast<std::size_t>(t) * m.x_stride) + i;
  };
  const auto w_row = [&](int r, std::int64_t i) {
    return w + static_cast<std::size_t>(r) * m.row_stride +
           static_cast<std::size_t>(i) * Format::kElementBytes;
  };
  const int rest = static_cast<int>(m.k % kLanes);
  const std::int64_t whole = m.k - rest;
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    F32x16 xs[kTokenCount];
    for (int t = 0; t < kTokenCount; ++t) xs[t] = load(x_row(t, i));
    for (int r = 0; r < kRowCount; ++r) {
      const F32x16 ws = Format::load(w_row(r, i));
      for (int t = 0; t < kTokenCount; ++t) acc[r][t] = fma(ws, xs[t], acc[r][t]);
    }
  }
  for (int r = 0; rest != 0 && r < kRowCount; ++r) {
    const F32x16 ws = Format::load_partial(w_row(r, whole), rest);
    for (int t = 0; t < kTokenCount; ++t) acc[r][t] = fma(ws, load_partial(x_row(t, whole), rest), acc[r][t]);
  }
  for (int t = 0; t < kTokenCount; ++t) {
    float* out = m.out + static_cast<std::size_t>(first_token + t) * m.out_stride + first_row;
    for (int r = 0; r < kRowCount; ++r) out[r] = reduce_add(acc[r][t]);
  }
}

// Rows [first, last) of all tokens from `token` on, kTokenCount at a time; returns the first token left over.
template <class Format, int kRowCount, int kTokenCount>
inline std::int64_t matmul_float_rows(const MatMulRows& m, std::int64_t first, std::int64_t last,
                                      std::int64_t token) {
  for (; token + kTokenCount <= m.n_tokens; token += kTokenCount) {
    std::int64_t row = first;
    for (; row + kRowCount <= last; row += kRowCount)
      matmul_float_tile<Format, kRowCount, kTokenCount>(m, row, token);
    for (; row < last; ++row) matmul_float_tile<Format, 1, kTokenCount>(m, row, token);
  }
  return token;
}

// Tiles of 2 x 3 and 4 x 1 outputs keep their accumulators in 16 registers of 8 floats.
template <class Format>
inline void matmul_floats(const MatMulRows& m) {
  for (std::int64_t row = 0; row < m.n_rows; row += kFloatRowBlock) {
    const std::int64_t last = row + kFloatRowBlock < m.n_rows ? row + kFloatRowBlock : m.n_rows;
    const std::int64_t token = matmul_float_rows<Format, 2, 3>(m, row, last, 0);
    matmul_float_rows<Format, 4, 1>(m, row, last, token);
  }
}
