#include "quant/mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace minfer {
namespace {

using enum UpgradedLayers;

constexpr FileType single(std::string_view name, std::uint32_t id, DType type) {
  return {name, id, type, type, kNone, kNone};
}

// Ids: enum llama_ftype in https://github.com/ggml-org/llama.cpp/blob/master/include/llama.h.
constexpr std::array kFileTypes = {
    single("f32", 0, DType::kF32),
    single("f16", 1, DType::kF16),
    single("bf16", 32, DType::kBF16),
    single("q4_0", 2, DType::kQ4_0),
    single("q4_1", 3, DType::kQ4_1),
    single("q5_0", 8, DType::kQ5_0),
    single("q5_1", 9, DType::kQ5_1),
    single("q8_0", 7, DType::kQ8_0),
    single("q4_k", 14, DType::kQ4_K),
    FileType{"q4_k_s", 14, DType::kQ4_K, DType::kQ5_K, kFirstFour, kFirstEighth},
    FileType{"q4_k_m", 15, DType::kQ4_K, DType::kQ6_K, kSensitive, kSensitive},
    single("q5_k", 16, DType::kQ5_K),
    single("q5_k_s", 16, DType::kQ5_K),
    FileType{"q5_k_m", 17, DType::kQ5_K, DType::kQ6_K, kSensitive, kSensitive},
    single("q6_k", 18, DType::kQ6_K),
};

bool is_upgraded(UpgradedLayers layers, int i, int n) {
  const int eighth = n / 8;
  switch (layers) {
    case kNone:
      return false;
    case kFirstFour:
      return i < 4;
    case kFirstEighth:
      return i < eighth;
    case kSensitive:
      return i < eighth || i >= 7 * n / 8 || (i - eighth) % 3 == 2;
  }
  return false;
}

// N of "blk.N.…"; 0 for names of another form.
int layer_of(std::string_view name) {
  int layer = 0;
  if (name.starts_with("blk.")) std::from_chars(name.data() + 4, name.data() + name.size(), layer);
  return layer;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// Models of 80 layers share each value head among eight query heads, so better values cost next to nothing.
bool is_70b(const MixModel& model) { return model.n_layer == 80 && model.grouped_heads; }

DType mixed_type(const FileType& file_type, const MixModel& model, std::string_view name, std::int64_t cols) {
  const DType base = file_type.base;
  if (name == "output.weight" || (model.tied_head && name == "token_embd.weight"))
    return base == DType::kQ8_0 || cols % dtype_info(base).block_values != 0 ? DType::kQ8_0 : DType::kQ6_K;
  const int layer = layer_of(name);
  if (contains(name, "attn_v.weight") || contains(name, "attn_qkv.weight")) {
    if (is_upgraded(file_type.attn_v, layer, model.n_layer)) return file_type.upgraded;
    return base == DType::kQ4_K && is_70b(model) ? DType::kQ5_K : base;
  }
  if (contains(name, "ffn_down") && is_upgraded(file_type.ffn_down, layer, model.n_layer))
    return file_type.upgraded;
  return base;
}

DType fitting_type(DType wanted, std::int64_t cols) {
  const auto fits = [&](DType type) { return cols % dtype_info(type).block_values == 0; };
  if (fits(wanted)) return wanted;
  DType smaller = wanted;
  if (wanted == DType::kQ4_K) smaller = DType::kQ5_0;
  if (wanted == DType::kQ5_K) smaller = DType::kQ5_1;
  if (wanted == DType::kQ6_K) smaller = DType::kQ8_0;
  return fits(smaller) ? smaller : DType::kF16;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::span<const FileType> file_types() noexcept { return kFileTypes; }

std::string file_type_names() {
  std::string names;
  for (const FileType& file_type : kFileTypes)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", file_type.name);
  return names;
}

const FileType* find_file_type(std::string_view name) noexcept {
  for (const FileType& file_type : kFileTypes)
    if (equal_ignoring_case(file_type.name, name)) return &file_type;
  return nullptr;
}

bool is_quantizable(std::string_view name, const Shape& shape) noexcept {
  // Expert gates are tiny and decide about everything.
  return shape.rows() > 1 && name.ends_with("weight") && !contains(name, "_norm.weight") &&
         !contains(name, "ffn_gate_inp.weight");
}

TypeChoice choose_type(const FileType& file_type, const MixModel& model, std::string_view name,
                       const Shape& shape, bool pure) {
  const bool mixes = !pure && dtype_info(file_type.base).block_values > 1;
  const DType wanted = mixes ? mixed_type(file_type, model, name, shape.cols()) : file_type.base;
  return {fitting_type(wanted, shape.cols()), wanted};
}

}  // namespace minfer
