#include "tokenizer/nfc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "vocabularies.h"

namespace minfer::test {
namespace {

TEST(Nfc, AgreesWithAnIndependentImplementation) {
  const auto cases = read_json(own_data("nfc-cases.json")).at("cases");
  ASSERT_EQ(cases.size(), 300u);
  for (const auto& entry : cases) {
    const std::string text = entry.at("text");
    const std::string nfc = entry.at("nfc");
    EXPECT_EQ(to_nfc(text), nfc) << text;
    EXPECT_EQ(to_nfc(nfc), nfc);
  }
}

TEST(Nfc, LeavesTextWithoutMarksAsItIs) { EXPECT_EQ(to_nfc("naïve café, 100 %"), "naïve café, 100 %"); }

// Marks of alternating classes are the worst case of sorting by insertion: 10^10 steps here.
TEST(Nfc, SortsManyMarksInTime) {
  constexpr size_t kPairs = 100000;
  std::string text = "x";
  for (size_t i = 0; i < kPairs; ++i) text += "\u0301\u0316";  // classes 230 and 220
  std::string sorted = "x";
  for (size_t i = 0; i < kPairs; ++i) sorted += "\u0316";
  for (size_t i = 0; i < kPairs; ++i) sorted += "\u0301";
  EXPECT_EQ(to_nfc(text), sorted);
}

}  // namespace
}  // namespace minfer::test
