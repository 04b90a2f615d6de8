#include "models/hyperparameters.h"

#include <fmt/core.h>

#include "base/log.h"
#include "base/printable.h"
#include "gguf/metadata.h"
#include "minfer/error.h"
#include "ops/rope_angles.h"

namespace minfer {
namespace {

// Generous limits: far above any model, far below what would overflow or exhaust memory while sizes are computed.
constexpr std::uint32_t kMaxLayers = 1024;
constexpr std::uint32_t kMaxWidth = 1u << 20;
constexpr std::uint32_t kMaxHeads = 4096;
constexpr std::uint32_t kMaxHeadDim = 1024;
constexpr std::uint32_t kMaxContext = 1u << 28;

struct Keys {
  const gguf::Reader& file;
  std::string prefix;

  std::string name(const char* key) const { return prefix + "." + key; }
  int integer(const char* key, std::uint32_t min, std::uint32_t max) const {
    return static_cast<int>(gguf::get_u32(file, name(key), min, max));
  }
  int integer_or(const char* key, std::uint32_t min, std::uint32_t max, int absent) const {
    return static_cast<int>(
        gguf::find_u32(file, name(key), min, max).value_or(static_cast<std::uint32_t>(absent)));
  }
  float real(const char* key, float min, float max) const { return gguf::get_f32(file, name(key), min, max); }
  float real_or(const char* key, float min, float max, float absent) const {
    return gguf::find_f32(file, name(key), min, max).value_or(absent);
  }
};

[[noreturn]] void bad_value(const Keys& keys, const char* key, const std::string& problem) {
  throw InvalidFileError(fmt::format("{}: key {}: {}", keys.file.file_name(), keys.name(key), problem));
}

RopeScaling read_scaling_kind(const Keys& keys) {
  const std::string kind =
      std::string(gguf::find_string(keys.file, keys.name("rope.scaling.type")).value_or("none"));
  if (kind == "none") return RopeScaling::kNone;
  if (kind == "linear") return RopeScaling::kLinear;
  if (kind == "yarn") return RopeScaling::kYarn;
  throw UnsupportedError(
      fmt::format("{}: key {}: scaling \"{}\" is not supported (none, linear and yarn are)",
                  keys.file.file_name(), keys.name("rope.scaling.type"), printable(kind, 64)));
}

float read_rope_base(const Keys& keys) {
  // 10000 is what the format documents for an absent key, and wrong for every newer model: worth a line.
  const auto base = gguf::find_f32(keys.file, keys.name("rope.freq_base"), 1.0f, 1e12f);
  if (!base) log_warning("{}: no key {}: using 10000", keys.file.file_name(), keys.name("rope.freq_base"));
  return base.value_or(10000.0f);
}

RopeTable read_rope(const Keys& keys, const Hyperparameters& hparams) {
  RopeTable rope;
  rope.n_dims = keys.integer_or("rope.dimension_count", 2, kMaxHeadDim, hparams.head_dim);
  if (rope.n_dims % 2 != 0) bad_value(keys, "rope.dimension_count", fmt::format("{} is odd", rope.n_dims));
  if (rope.n_dims > hparams.head_dim)
    bad_value(keys, "rope.dimension_count",
              fmt::format("{} dimensions in heads of {}", rope.n_dims, hparams.head_dim));
  rope.base = read_rope_base(keys);
  rope.scaling = read_scaling_kind(keys);
  rope.attention_factor = keys.real_or("rope.scaling.attn_factor", 1e-3f, 1e3f, 1.0f);
  if (rope.scaling == RopeScaling::kNone) return rope;

  rope.factor = keys.real_or("rope.scaling.factor", 1.0f, 1e6f, 1.0f);
  if (rope.scaling == RopeScaling::kLinear) return rope;
  if (rope.base <= 1) bad_value(keys, "rope.freq_base", fmt::format("YaRN needs more than {}", rope.base));
  rope.original_context =
      keys.integer_or("rope.scaling.original_context_length", 1, kMaxContext, hparams.n_ctx_train);
  rope.beta_fast = keys.real_or("rope.scaling.yarn_beta_fast", 1e-3f, 1e6f, 32.0f);
  rope.beta_slow = keys.real_or("rope.scaling.yarn_beta_slow", 1e-3f, 1e6f, 1.0f);
  rope.attention_factor *= yarn_attention_factor(rope.factor);
  return rope;
}

void read_attention(const Keys& keys, Hyperparameters& hparams) {
  hparams.n_head = keys.integer("attention.head_count", 1, kMaxHeads);
  hparams.n_head_kv = keys.integer_or("attention.head_count_kv", 1, kMaxHeads, hparams.n_head);
  if (hparams.n_head % hparams.n_head_kv != 0)
    bad_value(keys, "attention.head_count_kv",
              fmt::format("{} is not a divisor of the {} heads", hparams.n_head_kv, hparams.n_head));
  const bool explicit_size = keys.file.find(keys.name("attention.key_length")) != nullptr;
  if (!explicit_size && hparams.n_embd % hparams.n_head != 0)
    bad_value(keys, "attention.head_count",
              fmt::format("{} is not a divisor of embedding_length {}", hparams.n_head, hparams.n_embd));
  hparams.head_dim = keys.integer_or("attention.key_length", 2, kMaxHeadDim, hparams.n_embd / hparams.n_head);
  if (hparams.head_dim < 2)
    bad_value(keys, "attention.head_count", fmt::format("heads of {}", hparams.head_dim));
  const int value_dim = keys.integer_or("attention.value_length", 1, kMaxHeadDim, hparams.head_dim);
  if (value_dim != hparams.head_dim)
    throw UnsupportedError(fmt::format("{}: key {}: values of {} beside keys of {} are not supported",
                                       keys.file.file_name(), keys.name("attention.value_length"), value_dim,
                                       hparams.head_dim));
}

}  // namespace

Hyperparameters read_hyperparameters(const gguf::Reader& file, RopeStyle style) {
  Hyperparameters hparams;
  hparams.architecture = std::string(gguf::get_string(file, "general.architecture"));
  const Keys keys{file, hparams.architecture};
  hparams.n_layer = keys.integer("block_count", 1, kMaxLayers);
  hparams.n_embd = keys.integer("embedding_length", 1, kMaxWidth);
  hparams.n_ff = keys.integer("feed_forward_length", 1, kMaxWidth);
  hparams.n_ctx_train = keys.integer("context_length", 1, kMaxContext);
  hparams.rms_eps = keys.real("attention.layer_norm_rms_epsilon", 0.0f, 1.0f);
  read_attention(keys, hparams);
  hparams.rope = read_rope(keys, hparams);
  hparams.rope_style = style;
  return hparams;
}

}  // namespace minfer
