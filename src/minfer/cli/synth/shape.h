// The dimensions of a model to be made, and those of known models.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace minfer::cli {

struct SynthShape {
  std::string architecture;  // qwen2, qwen3 or llama
  int n_layer = 0;
  int n_embd = 0;
  int n_ff = 0;
  int n_head = 0;
  int n_head_kv = 0;
  int head_dim = 0;
  int n_vocab = 0;
  int n_ctx = 0;
  float rope_base = 0;
  float rms_eps = 0;
  bool tied_head = false;
  bool rope_divisors = false;  // Llama 3.1's rope_freqs.weight

  std::int64_t n_q() const { return std::int64_t{n_head} * head_dim; }
  std::int64_t n_kv() const { return std::int64_t{n_head_kv} * head_dim; }
  bool has_qkv_bias() const { return architecture == "qwen2"; }
  bool has_qk_norm() const { return architecture == "qwen3"; }
};

struct SynthPreset {
  std::string_view name;
  SynthShape shape;
};

std::span<const SynthPreset> synth_presets();
// Null where there is none of that name.
const SynthPreset* find_synth_preset(std::string_view name);
std::string synth_preset_names();  // "qwen2.5-0.5b, ..."

// Throws InvalidRequestError naming the dimension that is missing (0), out of range or does not fit another.
void check_shape(const SynthShape& shape);

}  // namespace minfer::cli
