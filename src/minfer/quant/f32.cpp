// F32: IEEE 754 binary32, little-endian, 4 bytes a value.
#include <cstring>

#include "quant/quant_list.h"

namespace minfer {
namespace {

void decode(const void* source, float* values, std::int64_t n) {
  std::memcpy(values, source, static_cast<std::size_t>(n) * sizeof(float));
}

void encode(const float* values, void* target, std::int64_t n) {
  std::memcpy(target, values, static_cast<std::size_t>(n) * sizeof(float));
}

}  // namespace

const QuantTraits kF32Traits = {DType::kF32, decode, encode, DType::kF32};

}  // namespace minfer
