#include "runtime/vocab.h"

#include <gtest/gtest.h>

#include "gguf/builder.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer::test {
namespace {

FileBuilder with_tokens(FileBuilder file = {}) {
  return file.key("tokenizer.ggml.tokens", kArray,
                  Bytes().u32(kString).u64(3).string("a").string("b").string("ab"));
}

FileBuilder with_merges(FileBuilder file) {
  return file.key("tokenizer.ggml.merges", kArray, Bytes().u32(kString).u64(1).string("a b"));
}

FileBuilder byte_bpe() {
  return with_merges(
      with_tokens().string("tokenizer.ggml.model", "gpt2").string("tokenizer.ggml.pre", "gpt-2"));
}

FileBuilder sentencepiece() {
  return with_tokens()
      .string("tokenizer.ggml.model", "llama")
      .key("tokenizer.ggml.scores", kArray, Bytes().u32(kF32).u64(3).f32(-1).f32(-2).f32(0));
}

VocabSpec read(const std::vector<std::byte>& bytes) {
  return read_vocab(gguf::Reader::parse(bytes, "m.gguf"));
}

template <typename Exception>
void expect_refused(const FileBuilder& file, const std::string& message) {
  const std::vector<std::byte> bytes = file.build(0);
  try {
    load_tokenizer(gguf::Reader::parse(bytes, "m.gguf"));
    ADD_FAILURE() << "accepted; expected: " << message;
  } catch (const Exception& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(Vocab, ReadsByteLevelBpe) {
  const auto bytes =
      byte_bpe()
          .key("tokenizer.ggml.token_type", kArray, Bytes().u32(kI32).u64(3).u32(1).u32(1).u32(3))
          .u32("tokenizer.ggml.eos_token_id", 2)
          .u32("tokenizer.ggml.eot_token_id", 1)
          .key("tokenizer.ggml.add_bos_token", kBool, Bytes().u8(1))
          .build(0);
  const VocabSpec spec = read(bytes);
  EXPECT_EQ(spec.model, VocabSpec::Model::kByteLevelBpe);
  EXPECT_EQ(spec.pre_tokenizer, "gpt-2");
  EXPECT_EQ(spec.tokens, std::vector<std::string_view>({"a", "b", "ab"}));
  EXPECT_EQ(spec.merges, std::vector<std::string_view>({"a b"}));
  EXPECT_EQ(spec.kinds,
            std::vector<TokenKind>({TokenKind::kNormal, TokenKind::kNormal, TokenKind::kControl}));
  EXPECT_EQ(spec.eos, 2u);
  EXPECT_EQ(spec.eot, 1u);
  EXPECT_EQ(spec.bos, std::nullopt);
  EXPECT_EQ(spec.add_bos, true);
}

TEST(Vocab, ReadsSentencePiece) {
  const auto bytes = sentencepiece()
                         .key("tokenizer.ggml.add_space_prefix", kBool, Bytes().u8(0))
                         .u32("tokenizer.ggml.unknown_token_id", 1)
                         .build(0);
  const VocabSpec spec = read(bytes);
  EXPECT_EQ(spec.model, VocabSpec::Model::kSentencePiece);
  EXPECT_EQ(spec.scores, std::vector<float>({-1, -2, 0}));
  EXPECT_EQ(spec.unk, 1u);
  EXPECT_EQ(spec.add_bos, std::nullopt);
  EXPECT_FALSE(spec.add_space_prefix);
  EXPECT_FALSE(spec.add_eos);
}

TEST(Vocab, NamesTheKeyOfAMissingOrWrongValue) {
  expect_refused<InvalidFileError>(FileBuilder(), "tokenizer.ggml.model");
  expect_refused<InvalidFileError>(FileBuilder().string("tokenizer.ggml.model", "gpt2"),
                                   "tokenizer.ggml.tokens");
  expect_refused<InvalidFileError>(with_tokens().string("tokenizer.ggml.model", "gpt2"),
                                   "tokenizer.ggml.merges");
  expect_refused<InvalidFileError>(with_tokens().string("tokenizer.ggml.model", "llama"),
                                   "tokenizer.ggml.scores");
  expect_refused<InvalidFileError>(byte_bpe().u32("tokenizer.ggml.add_eos_token", 1),
                                   "tokenizer.ggml.add_eos_token");
  expect_refused<InvalidFileError>(byte_bpe().string("tokenizer.ggml.bos_token_id", "a"),
                                   "tokenizer.ggml.bos_token_id");
  expect_refused<InvalidFileError>(
      byte_bpe().key("tokenizer.ggml.token_type", kArray, Bytes().u32(kI32).u64(3).u32(1).u32(1).u32(9)),
      "tokenizer.ggml.token_type");
}

TEST(Vocab, NamesTheFileOfAVocabularyThatIsRefused) {
  expect_refused<InvalidFileError>(byte_bpe().u32("tokenizer.ggml.eos_token_id", 3),
                                   "m.gguf: the EOS token is 3, but the vocabulary has 3 tokens");
  expect_refused<UnsupportedError>(with_merges(with_tokens().string("tokenizer.ggml.model", "gpt2")),
                                   "m.gguf: the vocabulary names no pre-tokenizer; known are gpt-2");
  expect_refused<UnsupportedError>(
      with_tokens().string("tokenizer.ggml.model", "bert"),
      "m.gguf: the tokenizer model \"bert\" (tokenizer.ggml.model) is not known");
}

TEST(Vocab, KeepsNothingOfTheFile) {
  std::unique_ptr<Tokenizer> tokenizer;
  {
    std::vector<std::byte> bytes = read_bytes(test_data("tokenizer/demo-vocab.gguf"));
    tokenizer = load_tokenizer(gguf::Reader::parse(bytes, "m.gguf"));
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
  }
  EXPECT_EQ(tokenizer->encode("Once upon a time", false), std::vector<int32_t>({518, 511, 258, 427}));
}

}  // namespace
}  // namespace minfer::test
