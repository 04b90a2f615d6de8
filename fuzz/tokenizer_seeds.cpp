// Writes the inputs that the tokenizer's fuzzer starts from: the texts of the test cases with each vocabulary, and
// small vocabularies of both models, right and wrong ones. Usage: tokenizer_seeds FOLDER
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tokenizer_input.h"

namespace minfer {
namespace {

void write(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file << bytes;
}

void write_texts(const std::filesystem::path& folder) {
  std::ifstream file(std::filesystem::path(MINFER_TEST_DATA) / "tokenizer/demo-cases.json");
  const auto json = nlohmann::json::parse(file);
  size_t n = 0;
  for (const auto& entry : json.at("cases")) {
    const auto vocabulary = static_cast<char>(n % kVocabularies.size());
    write(folder / ("text-" + std::to_string(n)),
          std::string{vocabulary, static_cast<char>(n)} + entry.at("text").get<std::string>());
    ++n;
  }
}

// Writes what read_hostile_spec() reads.
class SpecBytes {
 public:
  SpecBytes(bool sentencepiece, char pre_tokenizer) {
    head_ = {static_cast<char>(kVocabularies.size()), 1, static_cast<char>(sentencepiece), pre_tokenizer};
    head_ +=
        std::string("\x1F\x00\x01\x01\x00\x02\x05", 7);  // bos 0, eos 1, eot 1, eom 0, unk 2; add BOS, space
  }
  SpecBytes& token(std::string_view text, TokenKind kind = TokenKind::kNormal, int8_t score = 0) {
    tokens_ += {static_cast<char>(kind), static_cast<char>(score), static_cast<char>(text.size())};
    tokens_ += text;
    ++n_tokens_;
    return *this;
  }
  SpecBytes& merge(std::string_view text) {
    merges_ += static_cast<char>(text.size());
    merges_ += text;
    ++n_merges_;
    return *this;
  }
  std::string with(std::string_view text) const {
    return head_ + n_tokens_ + tokens_ + n_merges_ + merges_ + std::string(text);
  }

 private:
  std::string head_, tokens_, merges_;
  char n_tokens_ = 0, n_merges_ = 0;
};

SpecBytes small_spec(bool sentencepiece, char pre_tokenizer) {
  SpecBytes spec(sentencepiece, pre_tokenizer);
  spec.token("<s>", TokenKind::kControl)
      .token("</s>", TokenKind::kControl)
      .token("<unk>", TokenKind::kUnknown);
  spec.token("<u>", TokenKind::kUserDefined)
      .token("pad", TokenKind::kUnused)
      .token("<0x41>", TokenKind::kByte);
  spec.token("a", TokenKind::kNormal, -1)
      .token("b", TokenKind::kNormal, -2)
      .token("ab", TokenKind::kNormal, -3);
  spec.token("aab").token("\u2581").token("\u2581a").token("Ġ").token("\xFF").token("é").token("aba");
  return spec;
}

void write_vocabularies(const std::filesystem::path& folder) {
  constexpr std::string_view kText = "ab aab<u>a<s>b\xFF A pad";
  for (const char pre_tokenizer : {0, 1, 2, 3}) {
    const std::string name = "bpe-" + std::to_string(pre_tokenizer);
    const SpecBytes spec = small_spec(false, pre_tokenizer);
    write(folder / name, SpecBytes(spec).merge("a b").merge("a ab").with(kText));
    write(folder / (name + "-bad-merge"), SpecBytes(spec).merge("ab").with(kText));
    write(folder / (name + "-lost-merge"), SpecBytes(spec).merge("b b").with(kText));
    write(folder / (name + "-control-merge"), SpecBytes(spec).merge("a b").merge("< s>").with(kText));
  }
  write(folder / "sentencepiece", small_spec(true, 0).with(kText));
  write(folder / "duplicate", small_spec(true, 0).token("a").with(kText));
  write(folder / "bad-byte", small_spec(true, 0).token("<0xZZ>", TokenKind::kByte).with(kText));
  write(folder / "bad-kind", small_spec(true, 0).token("x", TokenKind{9}).with(kText));
  write(folder / "no-tokens", SpecBytes(true, 0).with(kText));
}

}  // namespace
}  // namespace minfer

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  minfer::write_texts(argv[1]);
  minfer::write_vocabularies(argv[1]);
}
