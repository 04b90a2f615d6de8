// The list of ops. A new op is one line here, its files in ops/ and backends/reference/, and its test cases.
#pragma once

#include <variant>

#include "ops/add.h"
#include "ops/attn.h"
#include "ops/fused_ffn.h"
#include "ops/fused_qkv.h"
#include "ops/get_rows.h"
#include "ops/input.h"
#include "ops/kv_store.h"
#include "ops/matmul.h"
#include "ops/matmul_add.h"
#include "ops/mul.h"
#include "ops/permute.h"
#include "ops/qk_norm.h"
#include "ops/qkv_bias_rope_store.h"
#include "ops/quantize.h"
#include "ops/reshape.h"
#include "ops/rms_norm.h"
#include "ops/rope.h"
#include "ops/rope_table.h"
#include "ops/scale.h"
#include "ops/silu.h"
#include "ops/softmax.h"
#include "ops/swiglu.h"
#include "ops/view.h"

namespace minfer {

using Op = std::variant<Input, GetRows, RmsNorm, QkNorm, MatMul, Add, Mul, Silu, Softmax, Scale, RopeTable,
                        RoPE, KvStore, Attn, View, Reshape, Permute, Quantize, SwiGLU, FusedQKV,
                        QkvBiasRopeStore, FusedFFN, MatMulAdd>;

std::string_view op_name(const Op& op);
TensorDesc infer(const Op& op, const Operands& operands);
int in_place_input(const Op& op);  // index of the input whose buffer the output may take over, or -1
bool is_alias(const Op& op);       // the output is memory of input 0 (View, Reshape)

}  // namespace minfer
