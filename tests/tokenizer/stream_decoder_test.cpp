#include "tokenizer/stream_decoder.h"

#include <gtest/gtest.h>

#include <random>

#include "tokenizer/utf8.h"
#include "vocabularies.h"

namespace minfer::test {
namespace {

using Ids = std::vector<int32_t>;

// tests/data/tiny-bytes.gguf: token b is the byte b.
std::unique_ptr<Tokenizer> byte_vocabulary() { return load_vocabulary(test_data("tiny-bytes.gguf")); }

TEST(StreamDecoder, HoldsACharacterUntilItIsWhole) {
  const auto tokenizer = byte_vocabulary();
  StreamDecoder decoder(*tokenizer);
  EXPECT_EQ(decoder.push('a'), "a");
  EXPECT_EQ(decoder.push(0xF0), "");
  EXPECT_EQ(decoder.push(0x9F), "");
  EXPECT_EQ(decoder.push(0x99), "");
  EXPECT_EQ(decoder.push(0x82), "\U0001F642");
  EXPECT_EQ(decoder.flush(), "");
}

TEST(StreamDecoder, ReplacesBytesAsSoonAsTheyCannotBecomeACharacter) {
  const auto tokenizer = byte_vocabulary();
  StreamDecoder decoder(*tokenizer);
  EXPECT_EQ(decoder.push(0xFF), "\uFFFD");
  EXPECT_EQ(decoder.push(0xE6), "");
  EXPECT_EQ(decoder.push(0x97), "");
  EXPECT_EQ(decoder.push(0xC3), "\uFFFD");  // the two bytes before it; itself may go on
  EXPECT_EQ(decoder.flush(), "\uFFFD");
  EXPECT_EQ(decoder.push('x'), "x");  // ready for another text
}

TEST(StreamDecoder, GivesWholeCharactersThatAddUpToTheReplacedBytes) {
  const auto tokenizer = byte_vocabulary();
  std::mt19937 random(5);
  const std::string_view bytes = "a\xC3\xA9\xE6\x97\xA5\xF0\x9F\x99\x82\xFF\xED\xA0";
  for (int round = 0; round < 500; ++round) {
    StreamDecoder decoder(*tokenizer);
    std::string raw, text;
    for (int i = 0; i < 12; ++i) {
      raw += bytes[random() % bytes.size()];
      const std::string piece = decoder.push(static_cast<uint8_t>(raw.back()));
      EXPECT_TRUE(is_valid_utf8(piece));
      text += piece;
    }
    text += decoder.flush();
    EXPECT_EQ(text, replace_invalid_utf8(raw));
  }
}

TEST(StreamDecoder, KeepsTheFirstSpaceOfAContinuation) {
  const auto tokenizer = load_vocabulary(own_data("spm-vocab.gguf"));
  const Ids ids = tokenizer->encode("the", false);
  StreamDecoder continuation(*tokenizer);
  StreamDecoder start(*tokenizer, {.at_start = true});
  std::string continued, started;
  for (int32_t id : ids) {
    continued += continuation.push(id);
    started += start.push(id);
  }
  EXPECT_EQ(continued, " the");
  EXPECT_EQ(started, "the");
}

}  // namespace
}  // namespace minfer::test
