#include "backends/cuda/ops/moves.h"

#include <algorithm>

#include "backends/cuda/device/fault.cuh"
#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/ptx.cuh"
#include "backends/cuda/quant/decode.cuh"

namespace minfer::cuda {
namespace {

constexpr int kBlock = 128;

// The row that id i of the list names, null (and a report) where there is no such row.
__device__ const char* source_row(const GetRowsArgs& args, std::int64_t i) {
  const std::int32_t id = args.ids[i];
  if (id >= 0 && id < args.n_rows) return static_cast<const char*>(args.source) + id * args.row_bytes;
  if (threadIdx.x == 0 && blockIdx.y == 0)
    report_fault(args.faults, FaultKind::kId, static_cast<std::int32_t>(i), id);
  return nullptr;
}

template <DType kType>
__global__ void gather_values_kernel(GetRowsArgs args) {
  let_successors_start();
  wait_for_predecessors();
  const char* row = source_row(args, blockIdx.x);
  float* out = args.out + std::int64_t{blockIdx.x} * args.n;
  const std::int64_t stride = std::int64_t{gridDim.y} * kBlock;
  for (std::int64_t i = std::int64_t{blockIdx.y} * kBlock + threadIdx.x; i < args.n; i += stride)
    out[i] = row ? Decoder<kType>::value(row, i) : 0.0f;
}

template <DType kType>
__global__ void gather_groups_kernel(GetRowsArgs args) {
  let_successors_start();
  wait_for_predecessors();
  const char* row = source_row(args, blockIdx.x);
  float* out = args.out + std::int64_t{blockIdx.x} * args.n;
  const std::int64_t stride = std::int64_t{gridDim.y} * kBlock;
  for (std::int64_t g = std::int64_t{blockIdx.y} * kBlock + threadIdx.x; g < args.n / 32; g += stride) {
    float values[32] = {};
    if (row) Decoder<kType>::group(row, g, values);
#pragma unroll
    for (int j = 0; j < 32; ++j) out[32 * g + j] = values[j];
  }
}

using GatherKernel = void (*)(GetRowsArgs);

template <DType kType>
constexpr GatherKernel kernel_of_type() {
  if constexpr (kType == DType::kF32 || kType == DType::kF16 || kType == DType::kBF16)
    return gather_values_kernel<kType>;
  else
    return gather_groups_kernel<kType>;
}

template <DType... kTypes>
GatherKernel find_kernel(DType type) {
  GatherKernel found = nullptr;
  static_cast<void>(((kTypes == type && (found = kernel_of_type<kTypes>(), true)) || ...));
  return found;
}

GatherKernel gather_kernel(DType type) {
  return find_kernel<DType::kF32, DType::kF16, DType::kBF16, DType::kQ4_0, DType::kQ4_1, DType::kQ5_0,
                     DType::kQ5_1, DType::kQ8_0, DType::kQ2_K, DType::kQ3_K, DType::kQ4_K, DType::kQ5_K,
                     DType::kQ6_K, DType::kIQ4_NL, DType::kIQ4_XS>(type);
}

__global__ void permute_kernel(PermuteArgs args, std::int64_t n) {
  let_successors_start();
  wait_for_predecessors();
  const std::int64_t stride = std::int64_t{gridDim.x} * kBlock;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += stride) {
    std::int64_t rest = i;
    std::int64_t source = 0;
#pragma unroll
    for (int d = 0; d < 4; ++d) {
      source += rest % args.out_dim[d] * args.x_stride[d];
      rest /= args.out_dim[d];
    }
    args.out[i] = args.x[source];
  }
}

}  // namespace

bool get_rows_supported(DType type) { return gather_kernel(type) != nullptr; }

void launch_get_rows(const GetRowsArgs& args, bool overlap, cudaStream_t stream) {
  const bool values = args.type == DType::kF32 || args.type == DType::kF16 || args.type == DType::kBF16;
  const std::int64_t units = values ? args.n : args.n / 32;
  const dim3 grid(static_cast<unsigned>(args.n_ids),
                  static_cast<unsigned>(std::clamp<std::int64_t>((units + kBlock - 1) / kBlock, 1, 1024)));
  launch_kernel("get_rows", gather_kernel(args.type), {grid, kBlock, 0, overlap}, stream, args);
}

void launch_permute(const PermuteArgs& args, bool overlap, cudaStream_t stream) {
  const std::int64_t n = args.out_dim[0] * args.out_dim[1] * args.out_dim[2] * args.out_dim[3];
  const auto grid = static_cast<unsigned>(std::clamp<std::int64_t>((n + kBlock - 1) / kBlock, 1, 4096));
  launch_kernel("permute", permute_kernel, {grid, kBlock, 0, overlap}, stream, args, n);
}

}  // namespace minfer::cuda
