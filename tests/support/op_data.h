// The bytes of an op case's operands, random by seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ops/kv_geometry.h"
#include "support/op_case.h"

namespace minfer::test {

using Bytes = std::vector<std::byte>;

// A byte that poisons memory: four of them are a NaN, two a float16 NaN.
inline constexpr std::byte kPoison{0xff};

struct OpData {
  std::vector<Bytes> inputs;
  std::vector<Bytes> weights;
  Bytes keys;  // the KV regions: poison, but for the written cells
  Bytes values;
};

// Types without an encoder (of weights that we only decode) get random blocks whose values are finite and moderate.
OpData make_data(const OpCase& c, std::uint64_t seed);

// All rows of a tensor as float32.
std::vector<float> decode(const TensorDesc& desc, std::span<const std::byte> bytes);
Bytes encode(const TensorDesc& desc, std::span<const float> values);

// The geometry of an op's KV cache, null for an op that does not touch it.
const KvGeometry* kv_geometry(const Op& op);

}  // namespace minfer::test
