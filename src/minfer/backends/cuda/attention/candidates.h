// The kernel families of attention, one declaration each; attn.cpp orders them.
#pragma once

#include "backends/cuda/kernel_table.h"

namespace minfer::cuda {

extern const Candidate kSimpleAttention;  // Attn

}  // namespace minfer::cuda
