#include "cli/synth/tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "cli/model_output.h"

namespace minfer::cli {
namespace {

constexpr float kGainDeviation = 0.1f;
constexpr float kBiasDeviation = 0.05f;

class TensorList {
 public:
  TensorList(const SynthShape& shape, const FileType& file_type, bool pure)
      : file_type_(file_type),
        model_{shape.n_layer, shape.n_head_kv < shape.n_head, shape.tied_head},
        pure_(pure) {}

  void matrix(const std::string& name, std::int64_t n_in, std::int64_t n_out) {
    const Shape shape{n_in, n_out};
    // A single row is a vector to the rules, as it is to the quantizer.
    TypeChoice choice{DType::kF32, DType::kF32};
    if (is_quantizable(name, shape)) choice = choose_type(file_type_, model_, name, shape, pure_);
    choices_.push_back(choice);
    const float deviation = 1.0f / std::sqrt(static_cast<float>(n_in));
    tensors_.push_back({name, {choice.type, shape}, SynthTensor::Values::kRandom, deviation});
  }

  void gain(const std::string& name, std::int64_t n) {
    tensors_.push_back({name, {DType::kF32, {n}}, SynthTensor::Values::kGain, kGainDeviation});
  }

  void bias(const std::string& name, std::int64_t n) {
    tensors_.push_back({name, {DType::kF32, {n}}, SynthTensor::Values::kRandom, kBiasDeviation});
  }

  void rope_divisors(std::int64_t n) {
    tensors_.push_back({"rope_freqs.weight", {DType::kF32, {n}}, SynthTensor::Values::kRopeDivisors, 0});
  }

  std::span<const TypeChoice> choices() const { return choices_; }
  std::vector<SynthTensor> take() { return std::move(tensors_); }

 private:
  const FileType& file_type_;
  MixModel model_;
  bool pure_;
  std::vector<TypeChoice> choices_;
  std::vector<SynthTensor> tensors_;
};

void add_layer(TensorList& list, const SynthShape& shape, int layer) {
  const auto name = [&](const char* part) { return fmt::format("blk.{}.{}", layer, part); };
  list.gain(name("attn_norm.weight"), shape.n_embd);
  list.matrix(name("attn_q.weight"), shape.n_embd, shape.n_q());
  list.matrix(name("attn_k.weight"), shape.n_embd, shape.n_kv());
  list.matrix(name("attn_v.weight"), shape.n_embd, shape.n_kv());
  if (shape.has_qkv_bias()) {
    list.bias(name("attn_q.bias"), shape.n_q());
    list.bias(name("attn_k.bias"), shape.n_kv());
    list.bias(name("attn_v.bias"), shape.n_kv());
  }
  if (shape.has_qk_norm()) {
    list.gain(name("attn_q_norm.weight"), shape.head_dim);
    list.gain(name("attn_k_norm.weight"), shape.head_dim);
  }
  list.matrix(name("attn_output.weight"), shape.n_q(), shape.n_embd);
  list.gain(name("ffn_norm.weight"), shape.n_embd);
  list.matrix(name("ffn_gate.weight"), shape.n_embd, shape.n_ff);
  list.matrix(name("ffn_up.weight"), shape.n_embd, shape.n_ff);
  list.matrix(name("ffn_down.weight"), shape.n_ff, shape.n_embd);
}

}  // namespace

std::vector<SynthTensor> synth_tensors(const SynthShape& shape, const FileType& file_type, bool pure) {
  TensorList list(shape, file_type, pure);
  if (shape.rope_divisors) list.rope_divisors(shape.head_dim / 2);
  list.matrix("token_embd.weight", shape.n_embd, shape.n_vocab);
  for (int layer = 0; layer < shape.n_layer; ++layer) add_layer(list, shape, layer);
  list.gain("output_norm.weight", shape.n_embd);
  if (!shape.tied_head) list.matrix("output.weight", shape.n_embd, shape.n_vocab);
  log_fallbacks(list.choices());
  return list.take();
}

std::vector<float> llama3_rope_divisors(float rope_base, int head_dim) {
  constexpr double kFactor = 8, kContext = 8192, kLow = 1, kHigh = 4;
  std::vector<float> divisors;
  for (int i = 0; i < head_dim; i += 2) {
    const double wavelength = 2 * std::numbers::pi * std::pow(double{rope_base}, double(i) / head_dim);
    const double ramp = std::clamp((kContext / wavelength - kLow) / (kHigh - kLow), 0.0, 1.0);
    divisors.push_back(static_cast<float>(1 / ((1 - ramp) / kFactor + ramp)));
  }
  return divisors;
}

}  // namespace minfer::cli
