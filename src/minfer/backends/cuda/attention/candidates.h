// The kernel families of attention, one declaration each; attn.cpp orders them.
#pragma once

#include "backends/cuda/kernel_table.h"

namespace minfer::cuda {

// On tensor cores (tensor_core.h): for up to 32 tokens, and for any number.
extern const Candidate kDecodeAttention;
extern const Candidate kPrefillAttention;
extern const Candidate kSimpleAttention;  // Attn

}  // namespace minfer::cuda
