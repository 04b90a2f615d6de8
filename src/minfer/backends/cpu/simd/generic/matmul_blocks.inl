// The integer matrix product, written once for all instruction sets and block formats. Included by a unit inside
// namespace minfer { namespace {, after its words:
//   constexpr int kRows            weight rows computed together, one a lane
//   Lanes                          kRows float32 values; zero_lanes(), store_lanes(Lanes, float*, n_valid)
// A Format says how a block is unpacked and multiplied:
//   Block                          the packed struct of quant/, with kValues
//   kGroup                         values under one scale of the activation row: 32 or 256
//   Tile                           one block of kRows rows, unpacked
//   void unpack(const BlockRows&, Tile&)
//   Lanes dot(const Tile&, const ActivationBlock&, Lanes acc)     adds one block to the accumulators

// The same block of kRows weight rows.
struct BlockRows {
  const std::uint8_t* row[kRows];
  std::size_t offset;  // of the block in its row
};

// One block of a row of activations.
struct ActivationBlock {
  const std::int8_t* q;
  const std::int16_t* sums;  // of 32 values where the scale covers 32, of 16 where it covers 256
  float d;
};

// Tokens that share an unpacked block of weights; their accumulators stay in the first-level cache.
constexpr int kTokenTile = 32;

template <class Format>
inline ActivationBlock activation_block(const std::uint8_t* row, std::size_t k, std::size_t block) {
  constexpr std::size_t kGroup = Format::kGroup;
  constexpr std::size_t kSumsPerGroup = kGroup == 32 ? 1 : 16;
  const auto* d = reinterpret_cast<const float*>(row + activation_scales_offset(k));
  const auto* sums = reinterpret_cast<const std::int16_t*>(row + activation_sums_offset(k, kGroup));
  return {reinterpret_cast<const std::int8_t*>(row) + block * kGroup, sums + block * kSumsPerGroup, d[block]};
}

inline BlockRows blocks_at(const BlockRows& first, std::size_t offset) {
  BlockRows rows;
  for (int r = 0; r < kRows; ++r) rows.row[r] = first.row[r] + offset;
  rows.offset = offset;
  return rows;
}

// Rows that are computed together: kRows of them, `apart` rows from one another. Those past the first n_valid are
// computed as copies of the last valid one and not stored.
struct RowSet {
  std::int64_t first;
  std::int64_t apart;
  int n_valid;
};

inline BlockRows first_blocks(const MatMulRows& m, const RowSet& set) {
  BlockRows rows;
  rows.offset = 0;
  for (int r = 0; r < kRows; ++r) {
    const int valid = r < set.n_valid ? r : set.n_valid - 1;
    rows.row[r] = m.weights + static_cast<std::size_t>(set.first + valid * set.apart) * m.row_stride;
  }
  return rows;
}

inline void store_rows(const RowSet& set, Lanes values, float* out) {
  if (set.apart == 1) return store_lanes(values, out + set.first, set.n_valid);
  float all[kRows];
  store_lanes(values, all, kRows);
  for (int r = 0; r < set.n_valid; ++r) out[set.first + r * set.apart] = all[r];
}

// How far apart the rows of a set are, for n rows in all: so that each lane walks through rows of its own, which lie
// behind one another, and there are kRows long streams of memory. The prefetchers of a CPU follow one ascending
// position in a page; of consecutive rows, several lie in a page. Streams must not be a multiple of 4096 bytes apart:
// they would share a few sets of the first-level cache.
inline std::int64_t rows_apart(const MatMulRows& m, std::int64_t n) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kAside = 128;
  std::int64_t apart = n / kRows;
  for (; apart > 1; --apart) {
    const std::size_t offset = static_cast<std::size_t>(apart) * m.row_stride % kPage;
    if (offset >= kAside && offset <= kPage - kAside) break;
  }
  return apart;
}

// Calls tile(set) for sets that cover rows [first, last).
template <typename Tile>
inline void for_row_sets(const MatMulRows& m, std::int64_t first, std::int64_t last, const Tile& tile) {
  const std::int64_t apart = rows_apart(m, last - first);
  for (std::int64_t i = 0; i < apart; ++i) tile(RowSet{first + i, apart, kRows});
  for (std::int64_t row = first + apart * kRows; row < last; row += kRows)
    tile(RowSet{row, 1, last - row < kRows ? static_cast<int>(last - row) : kRows});
}

// Fetches what the lanes read a little later than piece `part` of the n_parts pieces of a block: each cache line once,
// of half the lanes at a time. More requests than a core keeps track of make it wait, whether they ask for new lines or
// not. REQUIRES: pieces of at most 64 bytes.
template <class Block>
inline __attribute__((always_inline)) void fetch_ahead(const BlockRows& rows, std::size_t part,
                                                       std::size_t n_parts) {
  constexpr std::size_t kAhead = 512;  // about as much as arrives while memory answers
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kHalves = 2;
  const std::size_t begin = rows.offset + sizeof(Block) * part / n_parts;
  const std::size_t end = rows.offset + sizeof(Block) * (part + 1) / n_parts;
#pragma GCC unroll 2
  for (std::size_t half = 0; half < kHalves; ++half) {
    const std::size_t aside = half * (kLine / kHalves);
    const std::size_t line = (end + aside) / kLine;
    if (line == (begin + aside) / kLine) continue;
    const std::size_t from_block = line * kLine - aside + kAhead - rows.offset;
#pragma GCC unroll 16
    for (std::size_t r = half; r < kRows; r += kHalves) prefetch_line(rows.row[r] + from_block);
  }
}

// The same for a whole block, unless its format does it piece by piece (and says so: kFetchesAhead).
template <class Format>
inline __attribute__((always_inline)) void fetch_block_ahead(const BlockRows& rows) {
  using Block = typename Format::Block;
  if constexpr (!requires { Format::kFetchesAhead; }) {
    constexpr std::size_t kParts = (sizeof(Block) + 63) / 64;
#pragma GCC unroll 8
    for (std::size_t part = 0; part < kParts; ++part) fetch_ahead<Block>(rows, part, kParts);
  }
}

// kRows rows times n tokens. kMaxTokens is a compile-time bound, so that for one token nothing goes through memory.
template <class Format, int kMaxTokens>
inline void matmul_tile(const MatMulRows& m, const RowSet& set, std::int64_t first_token, int n) {
  using Block = typename Format::Block;
  const std::size_t k = static_cast<std::size_t>(m.k);
  const std::size_t n_blocks = k / static_cast<std::size_t>(Block::kValues);
  const BlockRows first = first_blocks(m, set);
  const std::uint8_t* x = m.x + static_cast<std::size_t>(first_token) * m.x_stride;
  Lanes acc[kMaxTokens];
  for (int t = 0; t < n; ++t) acc[t] = zero_lanes();
  for (std::size_t b = 0; b < n_blocks; ++b) {
    const BlockRows rows = blocks_at(first, b * sizeof(Block));
    fetch_block_ahead<Format>(rows);
    typename Format::Tile tile;
    Format::unpack(rows, tile);
    for (int t = 0; t < n; ++t)
      acc[t] = Format::dot(tile, activation_block<Format>(x + static_cast<std::size_t>(t) * m.x_stride, k, b),
                           acc[t]);
  }
  float* out = m.out + static_cast<std::size_t>(first_token) * m.out_stride;
  for (int t = 0; t < n; ++t) store_rows(set, acc[t], out + static_cast<std::size_t>(t) * m.out_stride);
}

// Rows whose packed weights stay in the second-level cache while all tokens pass by, a tile at a time.
constexpr std::int64_t kRowBlock = 64;

template <class Format, int kMaxTokens>
inline void matmul_row_range(const MatMulRows& m, std::int64_t first, std::int64_t last, std::int64_t token,
                             int n) {
  for_row_sets(m, first, last, [&](const RowSet& set) { matmul_tile<Format, kMaxTokens>(m, set, token, n); });
}

template <class Format>
inline void matmul_blocks(const MatMulRows& m) {
  if (m.n_tokens == 1) return matmul_row_range<Format, 1>(m, 0, m.n_rows, 0, 1);
  for (std::int64_t first = 0; first < m.n_rows; first += kRowBlock) {
    const std::int64_t last = first + kRowBlock < m.n_rows ? first + kRowBlock : m.n_rows;
    for (std::int64_t token = 0; token < m.n_tokens; token += kTokenTile) {
      const int n = m.n_tokens - token < kTokenTile ? static_cast<int>(m.n_tokens - token) : kTokenTile;
      matmul_row_range<Format, kTokenTile>(m, first, last, token, n);
    }
  }
}
