// AMX tiles: registers of up to 16 rows of 64 bytes, and the product of a tile of tokens (a row a token, a byte a
// value) with a tile of codes (a row is a column vector of matmul_words.h: four codes of each of 16 weight rows) that
// is added to a tile of 32-bit sums, exactly. (Intel SDM vol. 1, chapter 18.)
#pragma once

#include "backends/cpu/simd/avx512/gemm_words.h"

namespace minfer {
namespace {

constexpr int kTileRows = 16;   // tokens of a tile
constexpr int kTokenTiles = 2;  // multiplied together: each load of a tile then serves two products
constexpr int kBlockTokens = kTokenTiles * kTileRows;

// Sums of kBlockTokens tokens and the rows of a panel. Tiles of sums lie beside each other.
struct TileSums {
  __m512i sum[kBlockTokens][kGroups];
};

// The running results of the same.
struct TileResults {
  __m512 acc[kBlockTokens][kGroups];
};

// Activations of some tokens, `stride` bytes apart.
struct TokenRows {
  const std::uint8_t* row;
  std::size_t stride;
  std::size_t k;
};

// What was written so far is in memory from here on: GCC does not see that tile instructions read it.
inline void read_by_tiles() { asm volatile("" ::: "memory"); }

// Sets the shapes of a thread's tiles for its lifetime: 0-3 are sums (token tile, group), 4 and 5 activations, 6 and 7
// codes. n_tokens: of each token tile, at most kTileRows; k: values of a product, 32 or 64.
class TileShapes {
 public:
  TileShapes(int n_tokens, int k) {
    alignas(64) std::uint8_t config[64] = {1};  // the palette
    const auto shape = [&](int tile, int rows, int bytes) {
      config[16 + 2 * tile] = static_cast<std::uint8_t>(bytes);
      config[48 + tile] = static_cast<std::uint8_t>(rows);
    };
    for (int tile = 0; tile < 4; ++tile) shape(tile, n_tokens, 64);
    for (int tile = 4; tile < 6; ++tile) shape(tile, n_tokens, k);
    for (int tile = 6; tile < 8; ++tile) shape(tile, k / 4, 64);
    read_by_tiles();
    _tile_loadconfig(config);
  }
  ~TileShapes() { _tile_release(); }
  TileShapes(const TileShapes&) = delete;
  TileShapes& operator=(const TileShapes&) = delete;
};

constexpr std::size_t kCodesStride = kGroups * sizeof(__m512i);
constexpr std::size_t kSumsStride = kGroups * sizeof(__m512i);

template <int T>
inline void clear_sums() {
  _tile_zero(0);
  _tile_zero(1);
  if constexpr (T > 1) {
    _tile_zero(2);
    _tile_zero(3);
  }
}

// Adds the products of T tiles of tokens and the two groups of a panel. x: the first token's first value.
template <int T>
inline void add_products(const std::uint8_t* x, std::size_t x_stride, const __m512i (*codes)[kGroups]) {
  _tile_loadd(4, x, x_stride);
  _tile_loadd(6, codes, kCodesStride);
  _tile_dpbssd(0, 4, 6);
  _tile_loadd(7, &codes[0][1], kCodesStride);
  _tile_dpbssd(1, 4, 7);
  if constexpr (T > 1) {
    _tile_loadd(5, x + kTileRows * x_stride, x_stride);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
  }
}

template <int T>
inline void store_sums(TileSums& sums) {
  _tile_stored(0, &sums.sum[0][0], kSumsStride);
  _tile_stored(1, &sums.sum[0][1], kSumsStride);
  if constexpr (T > 1) {
    _tile_stored(2, &sums.sum[kTileRows][0], kSumsStride);
    _tile_stored(3, &sums.sum[kTileRows][1], kSumsStride);
  }
}

}  // namespace
}  // namespace minfer
