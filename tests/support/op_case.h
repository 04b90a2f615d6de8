// A declarative case of one op: shapes and types, not code. The same cases serve the comparison of every backend with
// the reference, the op benchmark and the generated support matrix.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/node.h"

namespace minfer::test {

// What an operand is and how it is filled. I32 operands hold `ints`; every other type random values, encoded.
struct Operand {
  TensorDesc desc;
  std::vector<std::int32_t> ints = {};
  float scale = 1;   // standard deviation of the values
  float offset = 0;  // their mean
};

Operand floats(const Shape& shape, float scale = 1, float offset = 0);
Operand ints(const Shape& shape, std::vector<std::int32_t> values);
Operand tensor(DType type, const Shape& shape, float scale = 1);

struct OpCase {
  std::string variant = {};  // the type that the case is about, its row of the support matrix: "q4_K"
  Op op;
  std::vector<Operand> inputs = {};
  std::vector<Operand> weights = {};
  // Largest allowed difference to the reference, relative to the largest value of the row; for products with weights
  // relative to the sum over k of |w * x| instead (see magnitudes in op_compare.h). 0: equal bit for bit.
  double tolerance = 0;
  std::string note = {};  // tells cases of equal shapes apart
  // KV regions of n_cells rows; written_cells hold keys and values before the op runs, the rest is NaN.
  std::int64_t n_cells = 0;
  std::vector<std::int32_t> written_cells = {};
};

TensorDesc output_desc(const OpCase& c);
// "MatMul q4_K (3, 256) . (17, 256)": unique within an op's list.
std::string name_of(const OpCase& c);

// The cases of an op, defined by tests/ops/<op>.cpp: an op without cases fails to link.
template <class OpT>
std::vector<OpCase> op_cases();

struct OpCases {
  std::string op = {};
  std::vector<OpCase> cases = {};
};
std::vector<OpCases> all_op_cases();  // in the order of op_list.h

}  // namespace minfer::test
