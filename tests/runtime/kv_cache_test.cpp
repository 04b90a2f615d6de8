#include "runtime/kv_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "backends/reference/reference_backend.h"
#include "minfer/error.h"
#include "quant/traits.h"

namespace minfer {
namespace {

constexpr int kHeads = 2;
constexpr int kHeadDim = 64;
constexpr int kRow = kHeads * kHeadDim;

KvGeometry geometry(DType cell) { return {0, kHeads, kHeadDim, cell}; }

// A key before rotation, and rotated to a position by the formula of the rotary embedding.
std::vector<float> plain_key(int token) {
  std::vector<float> key(kRow);
  for (int i = 0; i < kRow; ++i)
    key[static_cast<std::size_t>(i)] = std::sin(0.37f * static_cast<float>(i + 13 * token));
  return key;
}

std::vector<float> key_at(int token, int position, const KeyRotation& rotation) {
  std::vector<float> key = plain_key(token);
  const int half = rotation.n_dims / 2;
  for (int head = 0; head < kHeads; ++head) {
    for (int pair = 0; pair < half; ++pair) {
      const bool neox = rotation.style == RopeStyle::kNeox;
      const auto a = static_cast<std::size_t>(head * kHeadDim + (neox ? pair : 2 * pair));
      const auto b = static_cast<std::size_t>(head * kHeadDim + (neox ? pair + half : 2 * pair + 1));
      const double angle = position * rotation.frequencies[static_cast<std::size_t>(pair)];
      const double x = key[a];
      const double y = key[b];
      key[a] = static_cast<float>(x * std::cos(angle) - y * std::sin(angle));
      key[b] = static_cast<float>(x * std::sin(angle) + y * std::cos(angle));
    }
  }
  return key;
}

// A cache of two layers whose rows are written and read directly.
class Cache {
 public:
  Cache(DType cell, RopeStyle style, int n_dims) : cell_(cell), kv(device, 2, geometry(cell), 16) {
    rotation.style = style;
    rotation.n_dims = n_dims;
    for (int i = 0; i < n_dims / 2; ++i) rotation.frequencies.push_back(std::pow(1e4, -2.0 * i / n_dims));
  }

  void append(Sequence& sequence, int token) {
    kv.reserve(sequence, 1);
    const int position = sequence.length++;
    for (int layer = 0; layer < 2; ++layer) {
      write(kv.kv_pair(layer).k, sequence, position, key_at(token, position, rotation));
      write(kv.kv_pair(layer).v, sequence, position, plain_key(token));
    }
  }

  std::vector<float> read(BufferId region, const Sequence& sequence, int position) {
    std::vector<std::byte> row(geometry(cell_).row_bytes());
    device.read(region, offset(sequence, position), row);
    std::vector<float> values(kRow);
    quant_traits(cell_).decode(row.data(), values.data(), kRow);
    return values;
  }

  void expect_token(const Sequence& sequence, int position, int token, float tolerance) {
    for (int layer = 0; layer < 2; ++layer) {
      const auto k = read(kv.kv_pair(layer).k, sequence, position);
      const auto v = read(kv.kv_pair(layer).v, sequence, position);
      const auto expected_k = key_at(token, position, rotation);
      const auto expected_v = plain_key(token);
      for (std::size_t i = 0; i < kRow; ++i) {
        ASSERT_NEAR(k[i], expected_k[i], tolerance) << "key of position " << position << ", value " << i;
        ASSERT_NEAR(v[i], expected_v[i], cell_ == DType::kF32 ? 0.0f : 0.005f)
            << "value of position " << position;
      }
    }
  }

  ReferenceBackend device;
  const DType cell_;
  KvCache kv;
  KeyRotation rotation;

 private:
  std::size_t offset(const Sequence& sequence, int position) const {
    const int page = sequence.pages[static_cast<std::size_t>(position / kKvPageSize)];
    return geometry(cell_).row_bytes() *
           static_cast<std::size_t>(page * kKvPageSize + position % kKvPageSize);
  }
  void write(BufferId region, const Sequence& sequence, int position, const std::vector<float>& values) {
    std::vector<std::byte> row(geometry(cell_).row_bytes());
    quant_traits(cell_).encode(values.data(), row.data(), kRow);
    device.write(region, offset(sequence, position), row);
  }
};

struct ShiftCase {
  DType cell;
  RopeStyle style;
  int n_dims;
  float tolerance;
};

class ContextShift : public testing::TestWithParam<ShiftCase> {};

TEST_P(ContextShift, SurvivorsStandWhereTheyWouldHaveBeenWritten) {
  const ShiftCase& c = GetParam();
  Cache cache(c.cell, c.style, c.n_dims);
  Sequence sequence;
  for (int token = 0; token < 200; ++token) cache.append(sequence, token);
  cache.kv.remove_range(sequence, 10, 107, cache.rotation);  // moves rows over page borders
  EXPECT_EQ(sequence.length, 103);
  EXPECT_EQ(sequence.pages.size(), 2u);
  for (int position = 0; position < sequence.length; ++position)
    cache.expect_token(sequence, position, position < 10 ? position : position + 97, c.tolerance);
}

TEST_P(ContextShift, LeavesASequenceThatSharesThePagesAlone) {
  const ShiftCase& c = GetParam();
  Cache cache(c.cell, c.style, c.n_dims);
  Sequence sequence;
  for (int token = 0; token < 150; ++token) cache.append(sequence, token);
  Sequence other = cache.kv.fork(sequence);
  cache.kv.remove_range(sequence, 70, 80, cache.rotation);
  EXPECT_EQ(other.pages.front(), sequence.pages.front()) << "pages before the range stay shared";
  for (int position = 0; position < 150; ++position)
    cache.expect_token(other, position, position, c.cell == DType::kF32 ? 1e-6f : 0.01f);
  for (int position = 0; position < 140; ++position)
    cache.expect_token(sequence, position, position < 70 ? position : position + 10, c.tolerance);
}

INSTANTIATE_TEST_SUITE_P(CellsAndStyles, ContextShift,
                         testing::Values(ShiftCase{DType::kF32, RopeStyle::kNeox, kHeadDim, 2e-5f},
                                         ShiftCase{DType::kF32, RopeStyle::kInterleaved, kHeadDim, 2e-5f},
                                         ShiftCase{DType::kF32, RopeStyle::kNeox, 32, 2e-5f},
                                         ShiftCase{DType::kQ8_0, RopeStyle::kNeox, kHeadDim, 0.02f},
                                         ShiftCase{DType::kQ8_0, RopeStyle::kInterleaved, kHeadDim, 0.02f}));

TEST(KvCache, AForkCopiesAPageOnlyWhenOneOfTheTwoWritesToIt) {
  Cache cache(DType::kF32, RopeStyle::kNeox, kHeadDim);
  Sequence first;
  for (int token = 0; token < 100; ++token) cache.append(first, token);
  Sequence second = cache.kv.fork(first);
  EXPECT_EQ(cache.kv.pool().n_held(), 2);
  cache.append(second, 500);
  EXPECT_EQ(cache.kv.pool().n_held(), 3);
  EXPECT_EQ(first.pages[0], second.pages[0]);
  EXPECT_NE(first.pages[1], second.pages[1]);
  cache.append(first, 600);  // the only holder by now: no copy
  EXPECT_EQ(cache.kv.pool().n_held(), 3);
  cache.expect_token(second, 99, 99, 1e-6f);
  cache.expect_token(second, 100, 500, 1e-6f);
  cache.expect_token(first, 100, 600, 1e-6f);
  cache.kv.release(first);
  cache.expect_token(second, 10, 10, 1e-6f);
  cache.kv.release(second);
  EXPECT_EQ(cache.kv.pool().n_held(), 0);
}

TEST(KvCache, ReserveTakesAllPagesOrNone) {
  Cache cache(DType::kF32, RopeStyle::kNeox, kHeadDim);
  Sequence sequence;
  cache.kv.reserve(sequence, 10 * kKvPageSize);
  sequence.length = 10 * kKvPageSize;
  EXPECT_THROW(cache.kv.reserve(sequence, 7 * kKvPageSize), OutOfMemoryError);
  EXPECT_EQ(sequence.pages.size(), 10u);
  EXPECT_EQ(cache.kv.pool().n_held(), 10);
}

TEST(KvCache, TruncationGivesWholePagesBackAndTakesThemAgainFirst) {
  Cache cache(DType::kF32, RopeStyle::kNeox, kHeadDim);
  Sequence sequence;
  for (int token = 0; token < 200; ++token) cache.append(sequence, token);
  cache.kv.truncate(sequence, 64);
  EXPECT_EQ(sequence.pages.size(), 1u);
  for (int token = 0; token < 130; ++token) cache.append(sequence, token + 300);
  EXPECT_EQ(cache.kv.pool().n_touched(), 4);
  cache.expect_token(sequence, 63, 63, 1e-6f);
  cache.expect_token(sequence, 64, 300, 1e-6f);
}

}  // namespace
}  // namespace minfer
