// Comparison of an op's results with the reference's.
#pragma once

#include <gtest/gtest.h>

#include "support/op_runner.h"

namespace minfer::test {

// What the case's tolerance is relative to, for each output element: the sum over k of |w * x| where the op is a
// product with weights (MatMul, FusedQKV), else the largest reference value of the row.
std::vector<double> magnitudes(const OpCase& c, const OpData& data, const OpResult& reference);

// Whether the op is a product with weights, and nothing more.
bool is_product(const Op& op);

// Output and KV regions agree within the case's tolerance; cells that neither run wrote still hold the same bytes.
testing::AssertionResult close_to(const OpCase& c, const OpData& data, const OpResult& actual,
                                  const OpResult& reference);

// Output and KV regions are the same bit for bit, the padding of activation rows aside.
testing::AssertionResult same_bits(const OpResult& actual, const OpResult& expected);

}  // namespace minfer::test
