#include "cli/synth/shape.h"

#include <fmt/format.h>

#include <array>

#include "cli/synth/vocabulary.h"
#include "minfer/error.h"

namespace minfer::cli {
namespace {

// Limits of the loader; a model beyond them could not be run.
constexpr int kMaxLayers = 1024;
constexpr int kMaxWidth = 1 << 20;
constexpr int kMaxHeads = 4096;
constexpr int kMaxHeadDim = 1024;
constexpr int kMaxContext = 1 << 28;

void check_range(const char* option, int value, int min, int max) {
  if (value < min || value > max)
    throw InvalidRequestError(fmt::format("{} is {}, not {} to {}", option, value, min, max));
}

}  // namespace

// From the models' published configurations.
std::span<const SynthPreset> synth_presets() {
  static const std::array presets = {
      // name, {architecture, layers, embd, ff, heads, kv heads, head size, vocabulary, context, RoPE base, eps, tied,
      // RoPE divisors}
      SynthPreset{"qwen2.5-0.5b",
                  {"qwen2", 24, 896, 4864, 14, 2, 64, 151936, 32768, 1e6f, 1e-6f, true, false}},
      SynthPreset{"qwen2.5-1.5b",
                  {"qwen2", 28, 1536, 8960, 12, 2, 128, 151936, 32768, 1e6f, 1e-6f, true, false}},
      SynthPreset{"qwen2.5-7b",
                  {"qwen2", 28, 3584, 18944, 28, 4, 128, 152064, 32768, 1e6f, 1e-6f, false, false}},
      SynthPreset{"qwen2.5-14b",
                  {"qwen2", 48, 5120, 13824, 40, 8, 128, 152064, 32768, 1e6f, 1e-6f, false, false}},
      SynthPreset{"qwen3-0.6b",
                  {"qwen3", 28, 1024, 3072, 16, 8, 128, 151936, 40960, 1e6f, 1e-6f, true, false}},
      SynthPreset{"qwen3-8b",
                  {"qwen3", 36, 4096, 12288, 32, 8, 128, 151936, 40960, 1e6f, 1e-6f, false, false}},
      SynthPreset{"llama-3.1-8b",
                  {"llama", 32, 4096, 14336, 32, 8, 128, 128256, 131072, 5e5f, 1e-5f, false, true}},
  };
  return presets;
}

const SynthPreset* find_synth_preset(std::string_view name) {
  for (const SynthPreset& preset : synth_presets())
    if (preset.name == name) return &preset;
  return nullptr;
}

std::string synth_preset_names() {
  std::string names;
  for (const SynthPreset& preset : synth_presets())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
  return names;
}

void check_shape(const SynthShape& shape) {
  check_range("--layers", shape.n_layer, 1, kMaxLayers);
  check_range("--embd", shape.n_embd, 1, kMaxWidth);
  check_range("--ff", shape.n_ff, 1, kMaxWidth);
  check_range("--heads", shape.n_head, 1, kMaxHeads);
  check_range("--kv-heads", shape.n_head_kv, 1, shape.n_head);
  check_range("--head-dim", shape.head_dim, 2, kMaxHeadDim);
  check_range("--vocab", shape.n_vocab, smallest_vocabulary(shape.architecture), kMaxWidth);
  check_range("--ctx", shape.n_ctx, 1, kMaxContext);
  if (shape.n_head % shape.n_head_kv != 0)
    throw InvalidRequestError(
        fmt::format("--kv-heads {} is not a divisor of --heads {}", shape.n_head_kv, shape.n_head));
  if (shape.head_dim % 2 != 0)
    throw InvalidRequestError(fmt::format("--head-dim {} is odd; positions rotate pairs", shape.head_dim));
  if (!(shape.rope_base >= 1.0f && shape.rope_base <= 1e12f))
    throw InvalidRequestError(fmt::format("--rope-base is {}, not 1 to 1e12", shape.rope_base));
  if (shape.rope_divisors && shape.architecture != "llama")
    throw InvalidRequestError(fmt::format("RoPE divisors are for llama, not {}", shape.architecture));
}

}  // namespace minfer::cli
