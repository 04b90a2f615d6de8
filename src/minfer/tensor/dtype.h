// Element types of tensors. Values below kFirstInternal are the type ids of the GGUF format (ggml_type in
// https://github.com/ggml-org/ggml/blob/master/include/ggml.h); the others exist only inside a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace minfer {

enum class DType : std::uint32_t {
  kF32 = 0,
  kF16 = 1,
  kQ4_0 = 2,
  kQ4_1 = 3,
  kQ5_0 = 6,
  kQ5_1 = 7,
  kQ8_0 = 8,
  kQ8_1 = 9,
  kQ2_K = 10,
  kQ3_K = 11,
  kQ4_K = 12,
  kQ5_K = 13,
  kQ6_K = 14,
  kQ8_K = 15,
  kIQ2_XXS = 16,
  kIQ2_XS = 17,
  kIQ3_XXS = 18,
  kIQ1_S = 19,
  kIQ4_NL = 20,
  kIQ3_S = 21,
  kIQ2_S = 22,
  kIQ4_XS = 23,
  kI8 = 24,
  kI16 = 25,
  kI32 = 26,
  kI64 = 27,
  kF64 = 28,
  kIQ1_M = 29,
  kBF16 = 30,
  kTQ1_0 = 34,
  kTQ2_0 = 35,
  kMXFP4 = 39,
  kNVFP4 = 40,

  kFirstInternal = 1000,
  // A row of activations quantized to int8, planar: see quant/activation_row.h. kQ8Row32 has ggml's Q8_0
  // values (a scale per 32), kQ8Row256 ggml's Q8_K values (a scale per 256).
  kQ8Row32 = 1000,
  kQ8Row256 = 1001,
  kHandle = 1002,  // carries an ordering edge, no bytes (output of KvStore)
};

struct DTypeInfo {
  DType type;
  std::string_view name;       // as GGUF tools print it: "q4_K", "f16"
  std::uint32_t block_values;  // values a block holds (1 for plain types)
  std::uint32_t block_bytes;
};

// Every type with a known layout, internal ones excluded (their rows are not made of whole blocks).
const DTypeInfo* find_dtype_info(DType type) noexcept;
// Throws InternalError for a type without a fixed block layout.
const DTypeInfo& dtype_info(DType type);
// The type of a GGUF id, or nothing for an id that this version does not know.
std::optional<DType> dtype_from_gguf(std::uint32_t id) noexcept;
// Case-insensitive: "Q4_K", "q4_k".
std::optional<DType> dtype_from_name(std::string_view name) noexcept;
std::string_view dtype_name(DType type) noexcept;  // "unknown" for ids without a name

// Bytes of a row of n values. REQUIRES: n is a multiple of the block (throws InternalError otherwise).
std::size_t row_bytes(DType type, std::int64_t n);

}  // namespace minfer
