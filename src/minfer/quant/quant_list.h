// The one list of weight types that the engine computes with. A type is a line here and a file of its own
// that defines its traits (kQ4_0Traits, ...); everything that enumerates types is generated from this list.
#pragma once

#include "quant/traits.h"

#define MINFER_QUANT_LIST(X) \
  X(F32)                     \
  X(F16)                     \
  X(BF16)                    \
  X(Q4_0)                    \
  X(Q4_1)                    \
  X(Q5_0)                    \
  X(Q5_1)                    \
  X(Q8_0)                    \
  X(Q2_K)                    \
  X(Q3_K)                    \
  X(Q4_K)                    \
  X(Q5_K)                    \
  X(Q6_K)                    \
  X(IQ4_NL)                  \
  X(IQ4_XS)

namespace minfer {

#define MINFER_DECLARE_TRAITS(name) extern const QuantTraits k##name##Traits;
MINFER_QUANT_LIST(MINFER_DECLARE_TRAITS)
#undef MINFER_DECLARE_TRAITS

}  // namespace minfer
