#pragma once

#include "ops/operands.h"

namespace minfer {

// Gathers rows: out[i] = source[ids[i]].
//   inputs: ids I32 (n_ids), weight (n_rows, n_cols): embedding lookup, decoded to float32
//       or: source F32 (n_rows, n_cols), ids I32 (n_ids): no weight
//   output: F32 (n_ids, n_cols)
// An id outside [0, n_rows) is an error (InvalidRequestError).
struct GetRows {
  static constexpr std::string_view kName = "GetRows";
  bool operator==(const GetRows&) const = default;
};

TensorDesc infer(const GetRows& op, const Operands& operands);

}  // namespace minfer
