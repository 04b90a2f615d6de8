// Writes the files that the GGUF fuzzer starts from: small valid ones that between them have every kind of value and
// tensor, and the beginnings of other kinds of file. Usage: gguf_seeds FOLDER
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/builder.h"

namespace minfer {
namespace {

using test::Bytes;
using test::FileBuilder;

class Corpus {
 public:
  explicit Corpus(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(const std::string& name, const std::vector<std::byte>& bytes) const {
    std::ofstream file(folder_ / name, std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  void add(const std::string& name, std::string_view text) const { add(name, Bytes().raw(text).vector()); }

 private:
  std::filesystem::path folder_;
};

// A vocabulary and hyperparameters as models have them.
FileBuilder nano_model() {
  FileBuilder file;
  file.string("general.architecture", "qwen2").string("general.name", "nano");
  file.u32("qwen2.block_count", 1).u32("qwen2.context_length", 128).u32("qwen2.embedding_length", 32);
  file.key("qwen2.attention.layer_norm_rms_epsilon", test::kF32, Bytes().f32(1e-6f));
  file.key("tokenizer.ggml.tokens", test::kArray,
           Bytes().u32(test::kString).u64(3).string("a").string("b").string(""));
  file.key("tokenizer.ggml.token_type", test::kArray, Bytes().u32(test::kI32).u64(3).u32(1).u32(1).u32(3));
  file.key("tokenizer.ggml.scores", test::kArray, Bytes().u32(test::kF32).u64(2).f32(-1).f32(0));
  file.key("tokenizer.ggml.add_bos_token", test::kBool, Bytes().u8(0));
  return file;
}

void add_scalars(const Corpus& corpus) {
  constexpr std::uint32_t kTypes[] = {test::kU8,  test::kI8,   test::kU16, test::kI16, test::kU32, test::kI32,
                                      test::kF32, test::kBool, test::kU64, test::kI64, test::kF64};
  constexpr std::size_t kWidths[] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 8, 8};
  FileBuilder scalars, arrays;
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    const std::string name = "k" + std::to_string(i);
    scalars.key(name, kTypes[i], Bytes().zeros(kWidths[i]));
    arrays.key(name, test::kArray, Bytes().u32(kTypes[i]).u64(2).zeros(2 * kWidths[i]));
  }
  corpus.add("scalars", scalars.build(0));
  corpus.add("arrays", arrays.build(0));
  corpus.add("no-keys", FileBuilder().build(0));
}

void add_models(const Corpus& corpus) {
  corpus.add("model-f32", nano_model().tensor("w", {32, 3}).tensor("norm", {32}, 0, 384).build(512));
  corpus.add("model-q4_0", nano_model().tensor("w", {32, 2}, 2).build(64));
  corpus.add("model-q4_k", nano_model().tensor("w", {256, 1, 1, 1}, 12).build(160));
  corpus.add("model-experts", nano_model().tensor("w", {32, 2, 2}, 8).build(160));
  corpus.add("model-q1_0", nano_model().tensor("w", {128}, 41).build(32));
  corpus.add("model-removed-type", nano_model().tensor("w", {32}, 4).build(32));
  FileBuilder version2 = nano_model().tensor("w", {8}, 1);
  version2.version = 2;
  corpus.add("model-v2", version2.build(32));
  FileBuilder aligned = FileBuilder().u32("general.alignment", 64).tensor("w", {8}).tensor("v", {8}, 0, 64);
  aligned.alignment = 64;
  corpus.add("model-aligned", aligned.build(128));
  corpus.add("shard", FileBuilder().key("split.count", test::kU16, Bytes().put<std::uint16_t>(2)).build(0));
  corpus.add("duplicate-key", FileBuilder().u32("a", 1).u32("a", 2).build(0));
  corpus.add("duplicate-tensor", FileBuilder().tensor("w", {8}).tensor("w", {8}, 0, 32).build(64));
  corpus.add("overlap", FileBuilder().tensor("w", {16}).tensor("v", {8}, 0, 32).build(64));
}

void add_other_kinds(const Corpus& corpus) {
  corpus.add("html", "<!DOCTYPE html><html>");
  corpus.add("lfs", "version https://git-lfs.github.com/spec/v1\n");
  corpus.add("zip", "PK\x03\x04....");
  corpus.add("safetensors", Bytes().u64(10).raw("{\"a\":{}}  ").vector());
  corpus.add("swapped", "FUGG....");
}

}  // namespace
}  // namespace minfer

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const minfer::Corpus corpus(argv[1]);
  minfer::add_scalars(corpus);
  minfer::add_models(corpus);
  minfer::add_other_kinds(corpus);
}
