// The loops of a panel product (backends/cpu/matmul/gemm_kernels.h), the same for all block formats. Included by a
// unit inside namespace minfer { namespace {, after the words of simd/generic/matmul_blocks.inl and
//   constexpr int kGroups          kRows rows each: those of a panel
//   constexpr int kTileTokens      tokens computed together
// A Format has
//   Block                          the packed struct of quant/, with kValues
//   Panel                          a block of kPanelRows rows, unpacked
//   void unpack(const BlockRows&, int group, Panel&)
//   void multiply<T>(const Panel* panels, std::size_t n_blocks, const Tokens& x, Lanes (&acc)[T][kGroups])
// multiply sets the products of T tokens with the rows of each group.

constexpr int kPanelRows = kGroups * kRows;

// The first multiple of 64 bytes.
inline std::byte* aligned_scratch(std::byte* scratch) {
  return scratch + (64 - reinterpret_cast<std::uintptr_t>(scratch) % 64) % 64;
}

// A few rows of activations, `stride` bytes apart.
struct Tokens {
  const std::uint8_t* row;
  std::size_t stride;
  std::size_t k;
};

// Rows past the end are copies of the last one, whose products are not stored.
inline BlockRows group_rows(const MatMulRows& m, std::int64_t row) {
  const std::int64_t n_valid = m.n_rows - row;
  if (n_valid >= kRows) return first_blocks(m, {row, 1, kRows});
  return first_blocks(m,
                      n_valid > 0 ? RowSet{row, 1, static_cast<int>(n_valid)} : RowSet{m.n_rows - 1, 1, 1});
}

inline void store_group(const MatMulRows& m, std::int64_t row, std::int64_t token, Lanes values) {
  const std::int64_t n_valid = m.n_rows - row;
  float* out = m.out + static_cast<std::size_t>(token) * m.out_stride + row;
  if (n_valid > 0) store_lanes(values, out, n_valid < kRows ? static_cast<int>(n_valid) : kRows);
}

template <class Format>
inline void unpack_panel(const MatMulRows& m, std::int64_t first_row, std::size_t n_blocks,
                         typename Format::Panel* panels) {
  for (int g = 0; g < kGroups; ++g) {
    const BlockRows first = group_rows(m, first_row + g * kRows);
    for (std::size_t b = 0; b < n_blocks; ++b)
      Format::unpack(blocks_at(first, b * sizeof(typename Format::Block)), g, panels[b]);
  }
}

template <class Format, int T>
inline void multiply_tokens(const MatMulRows& m, std::int64_t first_row, std::int64_t token,
                            const typename Format::Panel* panels, std::size_t n_blocks) {
  const Tokens x{m.x + static_cast<std::size_t>(token) * m.x_stride, m.x_stride,
                 static_cast<std::size_t>(m.k)};
  Lanes acc[T][kGroups];
  Format::template multiply<T>(panels, n_blocks, x, acc);
  for (int t = 0; t < T; ++t)
    for (int g = 0; g < kGroups; ++g) store_group(m, first_row + g * kRows, token + t, acc[t][g]);
}

// The last n < kTileTokens tokens.
template <class Format, int T>
inline void multiply_rest(const MatMulRows& m, std::int64_t first_row, std::int64_t token, std::int64_t n,
                          const typename Format::Panel* panels, std::size_t n_blocks) {
  if (n == T) return multiply_tokens<Format, T>(m, first_row, token, panels, n_blocks);
  if constexpr (T > 1) multiply_rest<Format, T - 1>(m, first_row, token, n, panels, n_blocks);
}

template <class Format>
inline void gemm_panels(const MatMulRows& m, std::byte* scratch) {
  using Panel = typename Format::Panel;
  auto* panels = reinterpret_cast<Panel*>(aligned_scratch(scratch));
  const std::size_t n_blocks = static_cast<std::size_t>(m.k) / Format::Block::kValues;
  const std::size_t panel_bytes = kPanelRows * m.row_stride;
  const std::size_t ahead = panel_bytes / static_cast<std::size_t>(m.n_tokens) * kTileTokens;
  for (std::int64_t row = 0; row < m.n_rows; row += kPanelRows) {
    unpack_panel<Format>(m, row, n_blocks, panels);
    // The next panel, whether this call's or not, is fetched little by little while this one is multiplied.
    const std::uint8_t* next = m.weights + static_cast<std::size_t>(row + kPanelRows) * m.row_stride;
    const std::uint8_t* const end = next + panel_bytes;
    std::int64_t token = 0;
    for (; token + kTileTokens <= m.n_tokens; token += kTileTokens, next += ahead) {
      prefetch(next, ahead);
      multiply_tokens<Format, kTileTokens>(m, row, token, panels, n_blocks);
    }
    prefetch(next, static_cast<std::size_t>(end - next));
    multiply_rest<Format, kTileTokens - 1>(m, row, token, m.n_tokens - token, panels, n_blocks);
  }
}

template <class Format>
constexpr GemmKernel gemm_kernel() {
  return {gemm_panels<Format>, Format::Block::kValues, sizeof(typename Format::Panel)};
}
