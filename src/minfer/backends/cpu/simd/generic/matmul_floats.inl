// The matrix product with float weights, written once for all instruction sets in the words of words.h. Included
// by a unit inside namespace minfer { namespace {. A Format says how weights are read:
//   kElementBytes
//   F32x16 load(const std::uint8_t*)
//   F32x16 load_partial(const std::uint8_t*, int n)     n < 16 values, then zeros; reads no other memory

constexpr std::int64_t kFloatRowBlock = 32;  // rows that stay in cache while all tokens pass by

// The accumulators of kRowCount rows by kTokenCount tokens. Loops over them are unrolled, so that they are registers.
template <int kRowCount, int kTokenCount>
struct FloatTile {
  F32x16 acc[kRowCount][kTokenCount];

  FloatTile() {
#pragma GCC unroll 8
    for (int r = 0; r < kRowCount; ++r)
#pragma GCC unroll 8
      for (int t = 0; t < kTokenCount; ++t) acc[r][t] = zeros();
  }

  // One word of each: weights_of(row), activations_of(token).
  template <typename Weights, typename Activations>
  void multiply(const Weights& weights_of, const Activations& activations_of) {
    F32x16 xs[kTokenCount];
#pragma GCC unroll 8
    for (int t = 0; t < kTokenCount; ++t) xs[t] = activations_of(t);
#pragma GCC unroll 8
    for (int r = 0; r < kRowCount; ++r) {
      const F32x16 w = weights_of(r);
#pragma GCC unroll 8
      for (int t = 0; t < kTokenCount; ++t) acc[r][t] = fma(w, xs[t], acc[r][t]);
    }
  }

  void store(float* out, std::size_t out_stride) const {
#pragma GCC unroll 8
    for (int t = 0; t < kTokenCount; ++t)
#pragma GCC unroll 8
      for (int r = 0; r < kRowCount; ++r)
        out[static_cast<std::size_t>(t) * out_stride + r] = reduce_add(acc[r][t]);
  }
};

template <class Format, int kRowCount, int kTokenCount>
inline void matmul_float_tile(const MatMulRows& m, std::int64_t first_row, std::int64_t first_token) {
  constexpr std::size_t kStepBytes = kRowCount * kLanes * Format::kElementBytes;
  const std::uint8_t* w = m.weights + static_cast<std::size_t>(first_row) * m.row_stride;
  const std::uint8_t* x = m.x + static_cast<std::size_t>(first_token) * m.x_stride;
  const std::uint8_t* ahead = w + kRowCount * m.row_stride;  // the next rows, as in matmul_blocks.inl
  const auto w_at = [&](int r, std::int64_t i) {
    return w + static_cast<std::size_t>(r) * m.row_stride +
           static_cast<std::size_t>(i) * Format::kElementBytes;
  };
  const auto x_at = [&](int t, std::int64_t i) {
    return reinterpret_cast<const float*>(x + static_cast<std::size_t>(t) * m.x_stride) + i;
  };
  FloatTile<kRowCount, kTokenCount> tile;
  const int rest = static_cast<int>(m.k % kLanes);
  const std::int64_t whole = m.k - rest;
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    if (kTokenCount == 1) prefetch(ahead + static_cast<std::size_t>(i / kLanes) * kStepBytes, kStepBytes);
    tile.multiply([&](int r) { return Format::load(w_at(r, i)); }, [&](int t) { return load(x_at(t, i)); });
  }
  if (rest != 0)
    tile.multiply([&](int r) { return Format::load_partial(w_at(r, whole), rest); },
                  [&](int t) { return load_partial(x_at(t, whole), rest); });
  tile.store(m.out + static_cast<std::size_t>(first_token) * m.out_stride + first_row, m.out_stride);
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
