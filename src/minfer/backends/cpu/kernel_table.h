// How an op runs on the CPU: a short list of kernel candidates in one file of backends/cpu/ops (or matmul/),
// tried in written order when a graph is planned.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "backends/backend.h"
#include "backends/cpu/simd/isa.h"
#include "base/check.h"
#include "base/thread_pool.h"

namespace minfer {

// What a candidate sees when a node is planned.
struct PlanContext {
  const NodeSpec& spec;
  std::span<const TensorView> weights;  // the node's, resolved: bytes of the mapped file
  const CpuKernels& kernels;
  CpuIsa isa;
  int n_workers;
  bool fused_q8_kv;  // attention may compute on packed q8_0 cells (MINFER_NO_FUSED_Q8_KV)

  template <typename OpType>
  const OpType& op() const {
    return std::get<OpType>(*spec.op);
  }
  const TensorDesc& input(int i) const { return spec.inputs[static_cast<std::size_t>(i)]; }
};

struct Launch;

struct Candidate {
  std::string_view name;  // "rms_norm": the plan's label adds the instruction set; MINFER_KERNEL names it
  // Why this candidate cannot run the node; empty where it can.
  std::string (*refuse)(const PlanContext& context);
  // Fills workspace_bytes, bytes_moved, flops, and input_type where it is not that of input 0. May fill
  // `state`, which launch then sees. bytes_moved comes filled with inputs + weights + output.
  void (*plan)(const PlanContext& context, Plan& plan);
  // Runs the node. Checks its data (ids, cells, positions) before it forks; allocates nothing.
  void (*launch)(const Launch& launch);
  // Whether it is worth taking where it can run; null: always. Not asked of the candidate that MINFER_KERNEL names.
  bool (*pays)(const PlanContext& context) = nullptr;
};

struct OpKernels {
  std::string_view op;  // OpType::kName
  std::span<const Candidate> candidates;
};

// The KV regions of the node's layer; null for ops that do not touch them.
struct KvSpan {
  std::byte* k = nullptr;
  std::byte* v = nullptr;
  std::size_t bytes = 0;     // that each region has at least
  std::int64_t n_cells = 0;  // of each region
};

// Everything a node needs in one run. Pointers are valid for the call. Rows of an input or output lie
// row_bytes(type, cols) apart.
struct Launch {
  const Node& node;
  std::span<const TensorView> weights;
  const void* state;  // of Candidate::plan
  std::span<const TensorDesc> input_descs;
  std::span<std::byte* const> inputs;
  std::byte* output;     // null for a handle
  std::byte* workspace;  // null where plan asked for none
  KvSpan kv;
  const CpuKernels& kernels;
  ThreadPool& pool;

  template <typename OpType>
  const OpType& op() const {
    return std::get<OpType>(node.op);
  }
  template <typename T>
  T* input(int i) const {
    return reinterpret_cast<T*>(inputs[static_cast<std::size_t>(i)]);
  }
  template <typename T>
  T* out() const {
    return reinterpret_cast<T*>(output);
  }
  const float* weight_floats(int i) const {
    return reinterpret_cast<const float*>(weights[static_cast<std::size_t>(i)].data);
  }
};

// The list of ops: a line here and the file that defines its k<Op>Kernels.
#define MINFER_CPU_OPS(X) \
  X(Add)                  \
  X(Attn)                 \
  X(FusedFFN)             \
  X(FusedQKV)             \
  X(GetRows)              \
  X(Input)                \
  X(KvStore)              \
  X(MatMul)               \
  X(Mul)                  \
  X(Permute)              \
  X(QkNorm)               \
  X(QkvBiasRopeStore)     \
  X(Quantize)             \
  X(Reshape)              \
  X(RmsNorm)              \
  X(RoPE)                 \
  X(RopeTable)            \
  X(Scale)                \
  X(Silu)                 \
  X(Softmax)              \
  X(SwiGLU)               \
  X(View)

#define MINFER_DECLARE_KERNELS(op) extern const OpKernels k##op##Kernels;
MINFER_CPU_OPS(MINFER_DECLARE_KERNELS)
#undef MINFER_DECLARE_KERNELS

// Null for an op without kernels.
const OpKernels* find_op_kernels(std::string_view op);
std::span<const OpKernels* const> all_op_kernels();

}  // namespace minfer
