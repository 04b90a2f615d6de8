#include "tokenizer/pattern_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace minfer {
namespace {

std::string random_text(std::mt19937& random, size_t max_length) {
  std::string text(random() % max_length + 1, 'a');
  for (char& c : text) c = static_cast<char>('a' + random() % 2);
  return text;
}

// Every pattern tried at every place.
std::vector<PatternMatch> find_simply(const std::vector<std::string>& patterns, std::string_view text,
                                      size_t begin, size_t end) {
  std::vector<PatternMatch> matches;
  for (size_t at = end; at-- > begin;) {
    PatternMatch longest{at, 0, -1};
    for (size_t id = 0; id < patterns.size(); ++id) {
      const bool fits = text.substr(at, end - at).starts_with(patterns[id]);
      if (fits && patterns[id].size() > longest.length)
        longest = {at, patterns[id].size(), static_cast<int32_t>(id)};
    }
    if (longest.id >= 0) matches.push_back(longest);
  }
  return matches;
}

TEST(PatternSet, FindsTheLongestAtEachPlaceOfRandomTexts) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::set<std::string> distinct;
    for (int i = 0; i < 6; ++i) distinct.insert(random_text(random, 5));
    const std::vector<std::string> patterns(distinct.begin(), distinct.end());
    PatternSet set;
    for (size_t id = 0; id < patterns.size(); ++id) set.add(patterns[id], static_cast<int32_t>(id));
    set.finish();
    const std::string text = random_text(random, 40);
    const size_t begin = random() % text.size();
    std::vector<PatternMatch> matches;
    set.find(text, begin, text.size(), matches);
    const auto expected = find_simply(patterns, text, begin, text.size());
    ASSERT_EQ(matches.size(), expected.size()) << text;
    for (size_t i = 0; i < matches.size(); ++i) {
      EXPECT_EQ(matches[i].begin, expected[i].begin) << text;
      EXPECT_EQ(matches[i].length, expected[i].length) << text;
      EXPECT_EQ(matches[i].id, expected[i].id) << text;
    }
  }
}

TEST(PatternSet, IsEmptyWithoutPatterns) {
  PatternSet set;
  set.finish();
  EXPECT_TRUE(set.empty());
  std::vector<PatternMatch> matches;
  set.find("text", 0, 4, matches);
  EXPECT_TRUE(matches.empty());
}

// Long patterns of one character each are a prefix of the others: looking for every one at every place would take
// 2 * 10^11 steps.
TEST(PatternSet, IsLinearInTheText) {
  PatternSet set;
  for (int32_t length = 1; length <= 1000; ++length) set.add(std::string(length * 10, 'a') + 'b', length);
  set.finish();
  std::vector<PatternMatch> matches;
  const std::string text(2000000, 'a');
  set.find(text, 0, text.size(), matches);
  EXPECT_TRUE(matches.empty());
}

}  // namespace
}  // namespace minfer
