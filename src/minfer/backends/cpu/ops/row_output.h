// Rows that leave an op as float32 or quantized: the epilogue that a fused Quantize is. A worker computes a
// float row into its own piece of the workspace and quantizes it from there, which gives the bits of a
// Quantize node.
#pragma once

#include "backends/cpu/parallel.h"

namespace minfer {

// Why rows of n values cannot leave as `output`, or empty.
std::string refuse_output(DType output, std::int64_t n);
// Workspace of an op whose rows leave as `output`.
std::size_t row_output_workspace(const PlanContext& context, DType output);
// Quantizes a float row of n values into an activation row.
void quantize_row(const CpuKernels& kernels, DType output, const float* x, void* row, std::int64_t n);

// Calls compute(i, float row) for each output row i.
template <typename Compute>
void run_rows(const Launch& launch, DType output, std::int64_t cost_bytes, const Compute& compute) {
  const Shape& shape = launch.node.out.shape;
  const std::int64_t n = shape.cols();
  const std::size_t out_bytes = row_bytes(output, n);
  parallel_ranges(launch, shape.rows(), cost_bytes, 1, [&](Range range, int worker) {
    float* scratch = reinterpret_cast<float*>(launch.workspace) + worker * n;
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      std::byte* out = launch.output + static_cast<std::size_t>(i) * out_bytes;
      if (output == DType::kF32) {
        compute(i, reinterpret_cast<float*>(out));
      } else {
        compute(i, scratch);
        quantize_row(launch.kernels, output, scratch, out, n);
      }
    }
  });
}

}  // namespace minfer
