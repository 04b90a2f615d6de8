#pragma once

#include "ops/operands.h"

namespace minfer {

enum class RopeScaling { kNone, kLinear, kYarn };

// Cosines and sines of the rotary position embedding, computed once a run and shared by every layer.
//   inputs: positions I32 (n_tokens); optionally weight F32 (n_dims / 2): frequency divisors (Llama 3's
//           rope_freqs)
//   output: F32 (n_tokens, n_dims): cos of pairs 0 .. n_dims/2-1, then their sines, times attention_factor
//
// The angles, with their scaling, are defined by ops/rope_angles.h.
struct RopeTable {
  static constexpr std::string_view kName = "RopeTable";
  int n_dims = 0;
  float base = 0;
  RopeScaling scaling = RopeScaling::kNone;
  float factor = 1;            // how far the context is stretched (metadata rope.scaling.factor)
  float attention_factor = 1;  // multiplies cosines and sines
  int original_context = 0;    // kYarn only, as are the next two
  float beta_fast = 32;
  float beta_slow = 1;
  bool operator==(const RopeTable&) const = default;
};

TensorDesc infer(const RopeTable& op, const Operands& operands);

}  // namespace minfer
