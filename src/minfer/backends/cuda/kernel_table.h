// How an op runs on the GPU: a short list of kernel candidates, tried in written order when a graph is planned. The
// first that does not refuse runs; MINFER_KERNEL forces one by name where it can run.
#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <string>
#include <string_view>

#include "backends/backend.h"
#include "backends/cuda/device/fault.h"
#include "backends/cuda/device/limits.h"
#include "backends/cuda/matmul/weight_matrix.h"

namespace minfer::cuda {

// A weight of a node. Pointers to device memory are null while a graph is planned: weights are uploaded when it is
// bound.
struct DeviceWeight {
  TensorDesc desc;
  WeightMatrix matrix;        // for products: type, layout, n and k are known from the beginning
  const void* raw = nullptr;  // rows as in the file, of weights that are gathered from or are vectors
  const std::byte* host =
      nullptr;  // the same in memory of the host, for candidates that prepare something of it
};

// Levers that candidates look at.
struct KernelOptions {
  std::string kernel;            // MINFER_KERNEL
  std::string mmq;               // MINFER_MMQ: "0" no int8 tensor-core products
  bool no_kq_mmvq = false;       // MINFER_NO_KQ_MMVQ
  bool no_prefill_gemm = false;  // MINFER_NO_PREFILL_GEMM
  bool no_repack = false;        // MINFER_NO_REPACK
  bool fused_q8_kv = true;       // false: MINFER_NO_FUSED_Q8_KV
};

// What a candidate sees when a node is planned.
struct PlanContext {
  const NodeSpec& spec;
  std::span<const DeviceWeight> weights;
  const DeviceLimits& limits;
  const KernelOptions& options;

  template <typename OpType>
  const OpType& op() const {
    return std::get<OpType>(*spec.op);
  }
  const TensorDesc& input(int i) const { return spec.inputs[static_cast<std::size_t>(i)]; }
  std::int64_t n_tokens() const { return spec.output.shape.rows(); }
};

struct KvSpan {
  std::byte* k = nullptr;
  std::byte* v = nullptr;
  std::size_t bytes = 0;     // that each region has at least
  std::int64_t n_cells = 0;  // of each region
};

// Everything a node needs in one run. Pointers are device memory.
struct Launch {
  const Node& node;
  std::span<const DeviceWeight> weights;
  const void* state;  // what Candidate::plan left in Plan::state
  std::span<const TensorDesc> input_descs;
  std::span<std::byte* const> inputs;
  std::byte* output;     // null for a handle
  std::byte* workspace;  // null where plan asked for none
  KvSpan kv;
  const DeviceLimits& limits;
  FaultSink faults;
  cudaStream_t stream;

  // Whether launches may start before their predecessors end (device/launch.cuh).
  bool can_overlap() const { return limits.compute_capability >= 90; }
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
    return static_cast<const float*>(weights[static_cast<std::size_t>(i)].raw);
  }
};

struct Candidate {
  std::string_view name;
  // Why this candidate cannot run the node; empty where it can.
  std::string (*refuse)(const PlanContext& context);
  // Fills workspace_bytes, flops, and input_type where it is not that of input 0; bytes_moved comes filled with
  // inputs + weights + output, kernel with the name. May fill `state`, which launch then sees. Asks for more shared
  // memory where the kernel needs it (cudaFuncSetAttribute): never later, when a capture may be open.
  void (*plan)(const PlanContext& context, Plan& plan);
  // Enqueues the node's kernels on the stream. Never synchronizes and never allocates.
  void (*launch)(const Launch& launch);
  // Whether it is worth taking where it can run; null: always. Not asked of the candidate that MINFER_KERNEL names.
  bool (*pays)(const PlanContext& context) = nullptr;
};

struct OpKernels {
  std::string_view op;  // OpType::kName
  std::span<const Candidate* const> candidates;
};

// The list of ops: a line here and the file that defines its k<Op>Kernels.
#define MINFER_CUDA_OPS(X) \
  X(Add)                   \
  X(Attn)                  \
  X(FusedFFN)              \
  X(FusedQKV)              \
  X(GetRows)               \
  X(Input)                 \
  X(KvStore)               \
  X(MatMul)                \
  X(MatMulAdd)             \
  X(Mul)                   \
  X(Permute)               \
  X(QkNorm)                \
  X(QkvBiasRopeStore)      \
  X(Quantize)              \
  X(Reshape)               \
  X(RmsNorm)               \
  X(RoPE)                  \
  X(RopeTable)             \
  X(Scale)                 \
  X(Silu)                  \
  X(Softmax)               \
  X(SwiGLU)                \
  X(View)

#define MINFER_DECLARE_KERNELS(op) extern const OpKernels k##op##Kernels;
MINFER_CUDA_OPS(MINFER_DECLARE_KERNELS)
#undef MINFER_DECLARE_KERNELS

// Null for an op without kernels.
const OpKernels* find_op_kernels(std::string_view op);
// Whether an op has a kernel candidate of that name.
bool has_kernel(std::string_view name);

}  // namespace minfer::cuda
