// Layouts of the tensor types that a GGUF file can name: those of tensor/dtype.h, and some that minfer can
// list (inspect) but not compute with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace minfer::gguf {

struct TensorTypeLayout {
  std::string_view name;
  std::uint32_t block_values;
  std::uint32_t block_bytes;
};

std::optional<TensorTypeLayout> find_tensor_type_layout(std::uint32_t gguf_type) noexcept;

// Why a type without a layout is refused, and what to do: ids that the format has removed are named.
std::string describe_refused_type(std::uint32_t gguf_type);

// "q4_K"; "type 99" for ids without a layout.
std::string tensor_type_name(std::uint32_t gguf_type);

}  // namespace minfer::gguf
