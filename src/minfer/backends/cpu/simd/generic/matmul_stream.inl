// The loops of an integer matrix product whose formats unpack a few columns at a time and multiply them by all tokens
// at once, so that one block of weights never goes through memory. Included after matmul_blocks.inl. A Format has
//   Block, kGroup                  as there
//   template <int kTokens> void add_block(const BlockRows&, const ActivationBlock (&x)[kTokens],
//                                         Lanes (&acc)[kTokens])     adds one block to the accumulators

// kRows rows times kTokens tokens.
template <class Format, int kTokens>
inline void stream_tile(const MatMulRows& m, const RowSet& set, std::int64_t first_token) {
  using Block = typename Format::Block;
  const std::size_t k = static_cast<std::size_t>(m.k);
  const std::size_t n_blocks = k / static_cast<std::size_t>(Block::kValues);
  const BlockRows first = first_blocks(m, set);
  const std::uint8_t* x_row = m.x + static_cast<std::size_t>(first_token) * m.x_stride;
  Lanes acc[kTokens];
  ActivationBlock x[kTokens];
#pragma GCC unroll 8
  for (int t = 0; t < kTokens; ++t) acc[t] = zero_lanes();
  for (std::size_t b = 0; b < n_blocks; ++b) {
    const BlockRows rows = blocks_at(first, b * sizeof(Block));
    fetch_block_ahead<Format>(rows);
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t)
      x[t] = activation_block<Format>(x_row + static_cast<std::size_t>(t) * m.x_stride, k, b);
    Format::template add_block<kTokens>(rows, x, acc);
  }
  float* out = m.out + static_cast<std::size_t>(first_token) * m.out_stride;
#pragma GCC unroll 8
  for (int t = 0; t < kTokens; ++t) store_rows(set, acc[t], out + static_cast<std::size_t>(t) * m.out_stride);
}

template <class Format, int kTokens>
inline void stream_rows(const MatMulRows& m, std::int64_t first, std::int64_t last, std::int64_t token) {
  for_row_sets(m, first, last, [&](const RowSet& set) { stream_tile<Format, kTokens>(m, set, token); });
}

// Fewer than five tokens.
template <class Format>
inline void stream_few(const MatMulRows& m, std::int64_t first, std::int64_t last, std::int64_t token,
                       std::int64_t n_tokens) {
  switch (n_tokens) {
    case 1:
      return stream_rows<Format, 1>(m, first, last, token);
    case 2:
      return stream_rows<Format, 2>(m, first, last, token);
    case 3:
      return stream_rows<Format, 3>(m, first, last, token);
    case 4:
      return stream_rows<Format, 4>(m, first, last, token);
    default:
      return;
  }
}

template <class Format>
inline void matmul_stream(const MatMulRows& m) {
  constexpr std::int64_t kMaxTokens = 4;
  if (m.n_tokens <= kMaxTokens) return stream_few<Format>(m, 0, m.n_rows, 0, m.n_tokens);
  for (std::int64_t first = 0; first < m.n_rows; first += kRowBlock) {
    const std::int64_t last = first + kRowBlock < m.n_rows ? first + kRowBlock : m.n_rows;
    for (std::int64_t token = 0; token < m.n_tokens; token += kMaxTokens)
      stream_few<Format>(m, first, last, token,
                         m.n_tokens - token < kMaxTokens ? m.n_tokens - token : kMaxTokens);
  }
}
