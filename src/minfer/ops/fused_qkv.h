#pragma once

#include "ops/operands.h"

namespace minfer {

// The three projections of an attention block in one pass over the activations. Fused from three MatMul nodes
// that read the same x. The weights may differ in type as long as they read the same type of x.
//   inputs: x (n_tokens, k); weights wq (n_q, k), wk (n_kv, k), wv (n_kv, k)
//   output: F32 (n_tokens, n_q + 2 * n_kv): each row is q, then k, then v
struct FusedQKV {
  static constexpr std::string_view kName = "FusedQKV";
  bool operator==(const FusedQKV&) const = default;
};

TensorDesc infer(const FusedQKV& op, const Operands& operands);

}  // namespace minfer
