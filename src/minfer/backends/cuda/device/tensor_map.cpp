#include "backends/cuda/device/tensor_map.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "backends/cuda/device/check.h"
#include "minfer/error.h"

namespace minfer::cuda {
namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);

// The driver's function, through the runtime: the program links no driver library.
Encode find_encode() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result;
  MINFER_CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                               &result));
  if (result != cudaDriverEntryPointSuccess) throw DeviceError("the driver has no cuTensorMapEncodeTiled");
  return reinterpret_cast<Encode>(function);
}

}  // namespace

CUtensorMap f16_tensor_map(const void* data, std::int64_t rows, std::int64_t k, int box_rows) {
  static const Encode encode = find_encode();
  CUtensorMap map;
  const cuuint64_t sizes[2] = {static_cast<cuuint64_t>(k), static_cast<cuuint64_t>(rows)};
  const cuuint64_t strides[1] = {static_cast<cuuint64_t>(k) * 2};
  const cuuint32_t box[2] = {64, static_cast<cuuint32_t>(box_rows)}, element_strides[2] = {1, 1};
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, const_cast<void*>(data), sizes, strides, box,
             element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    throw DeviceError(fmt::format("a tensor map of {} x {} float16 was refused: error {}", rows, k,
                                  static_cast<int>(result)));
  }
  return map;
}

}  // namespace minfer::cuda
