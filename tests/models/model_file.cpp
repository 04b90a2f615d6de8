#include "models/model_file.h"

namespace minfer::test {
namespace {

// Two heads of 16 over one KV head, hidden size 32, feed-forward 64, vocabulary 8.
constexpr std::uint64_t kEmbd = 32;
constexpr std::uint64_t kHeadDim = 16;
constexpr std::uint64_t kFf = 64;
constexpr std::uint64_t kVocab = 8;

}  // namespace

ModelFile::ModelFile() {
  string("general.architecture", "qwen3");
  u32("qwen3.block_count", 1);
  u32("qwen3.embedding_length", kEmbd);
  u32("qwen3.feed_forward_length", kFf);
  u32("qwen3.context_length", 128);
  u32("qwen3.attention.head_count", 2);
  u32("qwen3.attention.head_count_kv", 1);
  u32("qwen3.attention.key_length", kHeadDim);
  u32("qwen3.attention.value_length", kHeadDim);
  f32("qwen3.attention.layer_norm_rms_epsilon", 1e-6f);
  f32("qwen3.rope.freq_base", 1e4f);
  tensor("token_embd.weight", {kEmbd, kVocab});
  tensor("output_norm.weight", {kEmbd});
  tensor("blk.0.attn_norm.weight", {kEmbd});
  tensor("blk.0.attn_q.weight", {kEmbd, 2 * kHeadDim});
  tensor("blk.0.attn_k.weight", {kEmbd, kHeadDim});
  tensor("blk.0.attn_v.weight", {kEmbd, kHeadDim});
  tensor("blk.0.attn_q_norm.weight", {kHeadDim});
  tensor("blk.0.attn_k_norm.weight", {kHeadDim});
  tensor("blk.0.attn_output.weight", {2 * kHeadDim, kEmbd});
  tensor("blk.0.ffn_norm.weight", {kEmbd});
  tensor("blk.0.ffn_gate.weight", {kEmbd, kFf});
  tensor("blk.0.ffn_up.weight", {kEmbd, kFf});
  tensor("blk.0.ffn_down.weight", {kFf, kEmbd});
}

ModelFile& ModelFile::u32(const std::string& name, std::uint32_t value) {
  keys_[name] = [=](FileBuilder& file) { file.u32(name, value); };
  return *this;
}

ModelFile& ModelFile::f32(const std::string& name, float value) {
  keys_[name] = [=](FileBuilder& file) { file.key(name, kF32, Bytes().f32(value)); };
  return *this;
}

ModelFile& ModelFile::string(const std::string& name, const std::string& value) {
  keys_[name] = [=](FileBuilder& file) { file.string(name, value); };
  return *this;
}

ModelFile& ModelFile::without_key(const std::string& name) {
  keys_.erase(name);
  return *this;
}

ModelFile& ModelFile::tensor(const std::string& name, const std::vector<std::uint64_t>& dims,
                             std::uint32_t type) {
  tensors_[name] = {dims, type};
  return *this;
}

ModelFile& ModelFile::without_tensor(const std::string& name) {
  tensors_.erase(name);
  return *this;
}

std::vector<std::byte> ModelFile::build() const {
  FileBuilder file;
  for (const auto& [name, add] : keys_) add(file);
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors_) {
    file.tensor(name, tensor.dims, tensor.type, offset);
    std::uint64_t elements = 1;
    for (const std::uint64_t dim : tensor.dims) elements *= dim;
    offset += (elements * 8 + 31) / 32 * 32;  // as large as any type
  }
  return file.build(offset);
}

}  // namespace minfer::test
