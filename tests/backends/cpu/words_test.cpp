// The words of each instruction set against those in plain C++, and these against the standard library.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include "backends/cpu/word_list.h"
#include "base/cpu_features.h"

namespace minfer::test {
namespace {

using Arguments = std::array<float, 48>;
using Result = std::array<std::uint32_t, 16>;

constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<const WordList*> simd_lists() {
  std::vector<const WordList*> lists;
#if defined(__x86_64__)
  if (detect_cpu_features().avx2) lists.push_back(&kAvx2Words);
  if (detect_cpu_features().avx512_vnni) lists.push_back(&kAvx512Words);
#elif defined(__aarch64__)
  lists.push_back(&kNeonWords);
  if (detect_cpu_features().dotprod) lists.push_back(&kNeonDotprodWords);
#endif
  return lists;
}

// Values at which rounding, conversion or comparison could go another way.
std::vector<float> edge_values() {
  std::vector<float> values = {0.0f,        0.5f,
                               0.49999997f, 1.0f,
                               1.5f,        2.5f,
                               126.5f,      127.5f,
                               128.0f,      65504.0f,
                               65519.996f,  65520.0f,
                               0x1p-24f,    0x1p-25f,
                               0x1p-14f,    0x1p23f,
                               0x1p31f,     0x1p32f,
                               8388607.5f,  0x1p-126f,
                               0x1p-149f,   0x1.fffffep+127f,
                               kInf,        std::nanf("")};
  for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  return values;
}

// Edge values, arbitrary patterns and ordinary numbers, mixed.
Arguments draw_arguments(std::mt19937& engine) {
  static const std::vector<float> edges = edge_values();
  Arguments arguments;
  for (float& value : arguments) {
    const auto bits = static_cast<std::uint32_t>(engine());
    switch (engine() % 3) {
      case 0:
        value = edges[bits % edges.size()];
        break;
      case 1:
        value = std::bit_cast<float>(bits);
        break;
      default:
        value = static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-24f;
    }
  }
  return arguments;
}

Result run(const NamedWord& word, const Arguments& arguments) {
  Result result{};
  word.run(arguments.data(), result.data());
  if (!word.gives_floats) return result;
  for (std::uint32_t& bits : result) {
    if (std::isnan(std::bit_cast<float>(bits))) bits = 0x7fc00000u;
  }
  return result;
}

const NamedWord& scalar_word(std::string_view name) {
  for (int i = 0; i < kScalarWords.n_words; ++i) {
    if (kScalarWords.words[i].name == name) return kScalarWords.words[i];
  }
  throw std::runtime_error("no such word");
}

float lane(const Result& result, std::size_t i) { return std::bit_cast<float>(result[i]); }

TEST(Words, SameBitsOnEveryInstructionSet) {
  for (const WordList* list : simd_lists()) {
    ASSERT_EQ(list->n_words, kScalarWords.n_words);
    std::mt19937 engine(1);
    for (int round = 0; round < 20000; ++round) {
      const Arguments arguments = draw_arguments(engine);
      for (int i = 0; i < list->n_words; ++i)
        ASSERT_EQ(run(list->words[i], arguments), run(kScalarWords.words[i], arguments))
            << list->words[i].name << " in round " << round;
    }
  }
}

TEST(Words, FmaRoundsOnce) {
  std::mt19937 engine(2);
  const NamedWord& fma = scalar_word("fma");
  for (int round = 0; round < 20000; ++round) {
    Arguments x = draw_arguments(engine);
    // Sums that cancel, or lie near the middle between two floats, tell one rounding from two.
    for (std::size_t i = 0; i < 8; ++i)
      x[32 + i] = -x[i] * x[16 + i] * (1.0f + std::ldexp(1.0f, -static_cast<int>(engine() % 30)));
    const Result result = run(fma, x);
    for (std::size_t i = 0; i < 16; ++i) {
      const float expected = std::fma(x[i], x[16 + i], x[32 + i]);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(lane(result, i)));
      } else {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(expected), result[i])
            << x[i] << " * " << x[16 + i] << " + " << x[32 + i];
      }
    }
  }
}

TEST(Words, FmaOfSubnormalsAndTies) {
  const float tiny = 0x1p-149f;
  Arguments x{};
  x[0] = 0x1p-75f, x[16] = 0x1p-75f, x[32] = 0.0f;         // half of the smallest subnormal: to even, 0
  x[1] = 0x1p-75f, x[17] = 0x1.000002p-75f, x[33] = 0.0f;  // a bit more than half
  x[2] = 0x1p-75f, x[18] = 0x1p-75f, x[34] = tiny;         // 1.5 units: to even, 2
  x[3] = 0x1p-75f, x[19] = 0x1p-75f, x[35] = 1.0f;
  x[4] = 0x1.fffffep+127f, x[20] = 2.0f, x[36] = -0x1.fffffep+127f;
  x[5] = 0x1.000001p+0f, x[21] = 0x1.000001p+0f, x[37] = -0x1.000002p+0f;
  const Result result = run(scalar_word("fma"), x);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(lane(result, i), std::fma(x[i], x[16 + i], x[32 + i])) << i;
  EXPECT_EQ(lane(result, 0), 0.0f);
  EXPECT_EQ(lane(result, 1), tiny);
  EXPECT_EQ(lane(result, 2), 2 * tiny);
}

TEST(Words, RoundingsAreThoseOfTheStandardLibrary) {
  std::mt19937 engine(3);
  std::uniform_int_distribution<std::int32_t> halves(-600, 600);
  for (int round = 0; round < 5000; ++round) {
    Arguments x{};
    for (std::size_t i = 0; i < 16; ++i) {
      x[i] = static_cast<float>(halves(engine)) / 2;
      if (engine() % 2) x[i] = std::nextafterf(x[i], engine() % 2 ? kInf : -kInf);
    }
    x[0] = 0.0f;  // takes the sum in its lane
    const Result even = run(scalar_word("round_even"), x);
    const Result away = run(scalar_word("round_away"), x);
    const Result down = run(scalar_word("truncate"), x);
    for (std::size_t i = 1; i < 16; ++i) {
      ASSERT_EQ(lane(even, i), std::nearbyintf(x[i])) << x[i];
      ASSERT_EQ(lane(away, i), std::roundf(x[i])) << x[i];
      ASSERT_EQ(lane(down, i), std::truncf(x[i])) << x[i];
    }
  }
}

TEST(Words, SumsFollowTheTree) {
  std::mt19937 engine(4);
  Arguments x{};
  for (float& value : x)
    value = std::ldexp(1.0f + static_cast<float>(engine() % 1000), static_cast<int>(engine() % 40));
  float sums[16];
  std::copy_n(x.begin(), 16, sums);
  for (const int half : {8, 4, 2, 1}) {
    for (int i = 0; i < half; ++i) sums[i] = sums[i] + sums[i + half];
  }
  EXPECT_EQ(lane(run(scalar_word("reduce_add"), x), 0), sums[0]);
}

TEST(Words, NoConversionOverflows) {
  Arguments x{};
  x[1] = std::nanf(""), x[2] = kInf, x[3] = -kInf, x[4] = 3e9f, x[5] = -3e9f, x[6] = 0x1p31f, x[7] = -0x1p31f;
  const Result result = run(scalar_word("round_even"), x);
  for (std::size_t i = 1; i < 8; ++i) EXPECT_EQ(lane(result, i), -0x1p31f) << i;
}

}  // namespace
}  // namespace minfer::test
