#include "gguf/tensor_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tensor/dtype.h"

namespace minfer::gguf {
namespace {

struct ListedOnly {
  std::uint32_t id;
  TensorTypeLayout layout;
};
constexpr std::array kListedOnly = {ListedOnly{41, {"q1_0", 128, 18}}, ListedOnly{42, {"q2_0", 64, 18}}};

struct RemovedType {
  std::uint32_t id;
  std::string_view name;
};
constexpr std::array kRemoved = {
    RemovedType{4, "q4_2"},        RemovedType{5, "q4_3"},        RemovedType{31, "q4_0_4_4"},
    RemovedType{32, "q4_0_4_8"},   RemovedType{33, "q4_0_8_8"},   RemovedType{36, "iq4_nl_4_4"},
    RemovedType{37, "iq4_nl_4_8"}, RemovedType{38, "iq4_nl_8_8"},
};

template <typename Table>
auto find_id(const Table& table, std::uint32_t id) {
  return std::find_if(table.begin(), table.end(), [id](const auto& entry) { return entry.id == id; });
}

}  // namespace

std::optional<TensorTypeLayout> find_tensor_type_layout(std::uint32_t gguf_type) noexcept {
  if (const std::optional<DType> dtype = dtype_from_gguf(gguf_type)) {
    const DTypeInfo* info = find_dtype_info(*dtype);
    return TensorTypeLayout{info->name, info->block_values, info->block_bytes};
  }
  const auto it = find_id(kListedOnly, gguf_type);
  if (it == kListedOnly.end()) return std::nullopt;
  return it->layout;
}

std::string describe_refused_type(std::uint32_t gguf_type) {
  const auto removed = find_id(kRemoved, gguf_type);
  if (removed == kRemoved.end())
    return fmt::format("unknown tensor type {}: the file is damaged or newer than this version of minfer",
                       gguf_type);
  return fmt::format(
      "tensor type {} ({}) was removed from the format: quantize the original model again (q4_0 replaces the "
      "q4_0_* "
      "and iq4_nl the iq4_nl_* types)",
      gguf_type, removed->name);
}

std::string tensor_type_name(std::uint32_t gguf_type) {
  const std::optional<TensorTypeLayout> layout = find_tensor_type_layout(gguf_type);
  return layout ? std::string(layout->name) : fmt::format("type {}", gguf_type);
}

}  // namespace minfer::gguf
