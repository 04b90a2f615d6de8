#include "tensor/dtype.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/check.h"
#include "tensor/view.h"

namespace minfer {
namespace {

constexpr std::array kInfos = {
    DTypeInfo{DType::kF32, "f32", 1, 4},
    DTypeInfo{DType::kF16, "f16", 1, 2},
    DTypeInfo{DType::kQ4_0, "q4_0", 32, 18},
    DTypeInfo{DType::kQ4_1, "q4_1", 32, 20},
    DTypeInfo{DType::kQ5_0, "q5_0", 32, 22},
    DTypeInfo{DType::kQ5_1, "q5_1", 32, 24},
    DTypeInfo{DType::kQ8_0, "q8_0", 32, 34},
    DTypeInfo{DType::kQ8_1, "q8_1", 32, 36},
    DTypeInfo{DType::kQ2_K, "q2_K", 256, 84},
    DTypeInfo{DType::kQ3_K, "q3_K", 256, 110},
    DTypeInfo{DType::kQ4_K, "q4_K", 256, 144},
    DTypeInfo{DType::kQ5_K, "q5_K", 256, 176},
    DTypeInfo{DType::kQ6_K, "q6_K", 256, 210},
    DTypeInfo{DType::kQ8_K, "q8_K", 256, 292},
    DTypeInfo{DType::kIQ2_XXS, "iq2_xxs", 256, 66},
    DTypeInfo{DType::kIQ2_XS, "iq2_xs", 256, 74},
    DTypeInfo{DType::kIQ3_XXS, "iq3_xxs", 256, 98},
    DTypeInfo{DType::kIQ1_S, "iq1_s", 256, 50},
    DTypeInfo{DType::kIQ4_NL, "iq4_nl", 32, 18},
    DTypeInfo{DType::kIQ3_S, "iq3_s", 256, 110},
    DTypeInfo{DType::kIQ2_S, "iq2_s", 256, 82},
    DTypeInfo{DType::kIQ4_XS, "iq4_xs", 256, 136},
    DTypeInfo{DType::kI8, "i8", 1, 1},
    DTypeInfo{DType::kI16, "i16", 1, 2},
    DTypeInfo{DType::kI32, "i32", 1, 4},
    DTypeInfo{DType::kI64, "i64", 1, 8},
    DTypeInfo{DType::kF64, "f64", 1, 8},
    DTypeInfo{DType::kIQ1_M, "iq1_m", 256, 56},
    DTypeInfo{DType::kBF16, "bf16", 1, 2},
    DTypeInfo{DType::kTQ1_0, "tq1_0", 256, 54},
    DTypeInfo{DType::kTQ2_0, "tq2_0", 256, 66},
    DTypeInfo{DType::kMXFP4, "mxfp4", 32, 17},
    DTypeInfo{DType::kNVFP4, "nvfp4", 64, 36},
    DTypeInfo{DType::kHandle, "handle", 1, 0},
};

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Planar rows keep each plane, and the row, a multiple of 64 bytes. Layout: quant/activation_row.h.
constexpr std::int64_t round_up_64(std::int64_t n) { return (n + 63) / 64 * 64; }

std::size_t planar_row_bytes(std::int64_t n, std::int64_t scale_group, std::int64_t sum_group) {
  MINFER_CHECK(n % scale_group == 0, "row of {} values in groups of {}", n, scale_group);
  return static_cast<std::size_t>(round_up_64(n) + round_up_64(n / scale_group * 4) +
                                  round_up_64(n / sum_group * 2));
}

}  // namespace

const DTypeInfo* find_dtype_info(DType type) noexcept {
  for (const DTypeInfo& info : kInfos)
    if (info.type == type) return &info;
  return nullptr;
}

const DTypeInfo& dtype_info(DType type) {
  const DTypeInfo* info = find_dtype_info(type);
  MINFER_CHECK(info, "type id {} has no block layout", static_cast<std::uint32_t>(type));
  return *info;
}

std::optional<DType> dtype_from_gguf(std::uint32_t id) noexcept {
  const auto type = static_cast<DType>(id);
  if (type >= DType::kFirstInternal || !find_dtype_info(type)) return std::nullopt;
  return type;
}

std::optional<DType> dtype_from_name(std::string_view name) noexcept {
  for (const DTypeInfo& info : kInfos)
    if (info.type < DType::kFirstInternal && equal_ignoring_case(info.name, name)) return info.type;
  return std::nullopt;
}

std::string_view dtype_name(DType type) noexcept {
  if (type == DType::kQ8Row32) return "q8_row32";
  if (type == DType::kQ8Row256) return "q8_row256";
  const DTypeInfo* info = find_dtype_info(type);
  return info ? info->name : "unknown";
}

std::size_t row_bytes(DType type, std::int64_t n) {
  if (type == DType::kQ8Row32) return planar_row_bytes(n, 32, 32);
  if (type == DType::kQ8Row256) return planar_row_bytes(n, 256, 16);
  const DTypeInfo& info = dtype_info(type);
  MINFER_CHECK(n % info.block_values == 0, "row of {} values of type {}", n, info.name);
  return static_cast<std::size_t>(n / info.block_values) * info.block_bytes;
}

std::size_t tensor_bytes(const TensorDesc& desc) {
  return row_bytes(desc.dtype, desc.shape.cols()) * static_cast<std::size_t>(desc.shape.rows());
}

}  // namespace minfer
