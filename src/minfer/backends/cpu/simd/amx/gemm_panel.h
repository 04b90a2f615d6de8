// The loops of a panel product with tiles, the same for all block formats. A Format has
//   Block, Panel, unpack        as in avx512/gemm_panel.h
//   kProductValues              values of one tile product: 32 or 64
//   kStepBlocks                 blocks of a step
//   Sums                        the integer sums of a step
//   void multiply<T>(const Panel* panels, const std::uint8_t* x, std::size_t x_stride, int n_blocks, Sums&)
//       of T token tiles and n_blocks <= kStepBlocks blocks
//   void add<N>(const Panel* panels, const Sums&, const TokenRows&, int token, std::size_t block, int n_blocks,
//               TileResults&)
//       the same blocks of tokens `token` .. `token` + N - 1, whose rows begin at TokenRows, to the results
#pragma once

#include "backends/cpu/simd/amx/tiles.h"
#include "backends/cpu/simd/avx512/gemm_panel.h"

namespace minfer {
namespace {

// Tokens whose results are in registers together: enough chains to cover the latency of an fma.
constexpr int kRegisterTokens = 4;

template <class Format>
inline void add_step(const typename Format::Panel* panels, const typename Format::Sums& sums,
                     const TokenRows& x, int n_tokens, std::size_t block, int n_blocks,
                     TileResults& results) {
  int token = 0;
  for (; token + kRegisterTokens <= n_tokens; token += kRegisterTokens)
    Format::template add<kRegisterTokens>(panels, sums, x, token, block, n_blocks, results);
  for (; token < n_tokens; ++token) Format::template add<1>(panels, sums, x, token, block, n_blocks, results);
}

// T token tiles, n_tokens tokens in all.
template <class Format, int T>
inline void multiply_block(const MatMulRows& m, std::int64_t first_row, std::int64_t first_token,
                           int n_tokens, const typename Format::Panel* panels, std::size_t n_blocks) {
  const TokenRows x{m.x + static_cast<std::size_t>(first_token) * m.x_stride, m.x_stride,
                    static_cast<std::size_t>(m.k)};
  alignas(64) typename Format::Sums sums;
  alignas(64) TileResults results;
  for (int t = 0; t < n_tokens; ++t) {
    // The lines that the results go to, pages apart, are on their way while the block is computed.
    const float* out = m.out + static_cast<std::size_t>(first_token + t) * m.out_stride + first_row;
    prefetch(reinterpret_cast<const std::uint8_t*>(out), kPanelRows * sizeof(float));
    for (int g = 0; g < kGroups; ++g) results.acc[t][g] = _mm512_setzero_ps();
  }
  constexpr std::size_t kStep = Format::kStepBlocks;
  for (std::size_t b = 0; b < n_blocks; b += kStep) {
    const int n = static_cast<int>(n_blocks - b < kStep ? n_blocks - b : kStep);
    Format::template multiply<T>(panels + b, x.row + b * Format::Block::kValues, x.stride, n, sums);
    add_step<Format>(panels + b, sums, x, n_tokens, b, n, results);
  }
  for (int t = 0; t < n_tokens; ++t)
    for (int g = 0; g < kGroups; ++g)
      store_group(m, first_row + g * kRows, first_token + t, results.acc[t][g]);
}

// All tokens times one panel. The last block of tokens overlaps the one before it where they are no multiple of a
// block: it computes some results again, to the same bits.
template <class Format>
inline void multiply_panel(const MatMulRows& m, std::int64_t row, const typename Format::Panel* panels,
                           std::size_t n_blocks, const std::uint8_t* next) {
  const std::size_t panel_bytes = kPanelRows * m.row_stride;
  const int block = m.n_tokens >= kBlockTokens ? kBlockTokens : kTileRows;
  const std::size_t ahead =
      panel_bytes / static_cast<std::size_t>(m.n_tokens) * static_cast<std::size_t>(block);
  const std::uint8_t* const end = next + panel_bytes;
  for (std::int64_t token = 0; token < m.n_tokens; token += block, next += ahead) {
    const bool is_last = token + block >= m.n_tokens;
    prefetch(next, is_last ? static_cast<std::size_t>(end - next) : ahead);
    const int n = m.n_tokens < block ? static_cast<int>(m.n_tokens) : block;
    const std::int64_t first = is_last ? m.n_tokens - n : token;
    if (block == kBlockTokens) {
      multiply_block<Format, 2>(m, row, first, n, panels, n_blocks);
    } else {
      multiply_block<Format, 1>(m, row, first, n, panels, n_blocks);
    }
  }
}

template <class Format>
inline void gemm_tiles(const MatMulRows& m, std::byte* scratch) {
  using Panel = typename Format::Panel;
  auto* panels = reinterpret_cast<Panel*>(aligned_scratch(scratch));
  const std::size_t n_blocks = static_cast<std::size_t>(m.k) / Format::Block::kValues;
  const TileShapes shapes(m.n_tokens < kTileRows ? static_cast<int>(m.n_tokens) : kTileRows,
                          Format::kProductValues);
  for (std::int64_t row = 0; row < m.n_rows; row += kPanelRows) {
    unpack_panel<Format>(m, row, n_blocks, panels);
    read_by_tiles();
    multiply_panel<Format>(m, row, panels, n_blocks,
                           m.weights + static_cast<std::size_t>(row + kPanelRows) * m.row_stride);
  }
}

template <class Format>
constexpr GemmKernel tile_kernel() {
  return {gemm_tiles<Format>, Format::Block::kValues, sizeof(typename Format::Panel)};
}

}  // namespace
}  // namespace minfer
