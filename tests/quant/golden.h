// The quantization goldens: values, and what ggml's reference code makes of them. The same files lie in
// tests/data/quant (our types only) and in the shared oracles (all of ggml's types).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tensor/dtype.h"

namespace minfer::test {

struct GoldenType {
  std::string name;
  std::vector<std::byte> blocks;  // of Golden::weights
  std::vector<float> decoded;     // of these blocks
  std::string activation;         // the name of the type that ggml's dot product wants activations in
  std::vector<double> dots;       // of each row of weights with the same row of activations, by ggml
};

struct Golden {
  std::size_t row;                 // values in a row: 16 rows of 256
  std::vector<float> weights;      // row 13 is all zero, 14 has an outlier, 15 is constant
  std::vector<float> activations;  // row 12 is all zero
  std::vector<GoldenType> types;
  std::vector<std::byte> q8_0, q8_1, q8_k;  // activation blocks

  std::size_t n() const { return weights.size(); }
  std::size_t n_rows() const { return weights.size() / row; }
};

// REQUIRES: folder holds index.json. Only types that the engine computes with, except F32, which has no
// golden.
Golden load_golden(const std::filesystem::path& folder);

}  // namespace minfer::test
