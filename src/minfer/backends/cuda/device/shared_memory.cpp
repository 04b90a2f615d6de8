#include "backends/cuda/device/shared_memory.h"

#include "backends/cuda/device/capture_lock.h"
#include "backends/cuda/device/check.h"
#include "backends/cuda/device/driver.h"

namespace minfer::cuda {

void allow_shared_memory(const void* kernel, std::size_t bytes) {
  constexpr std::size_t kWithoutAsking = std::size_t{48} << 10;
  if (bytes <= kWithoutAsking || device_count() == 0) return;
  const auto alone = exclude_recordings("a kernel asks for shared memory");
  MINFER_CUDA(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

}  // namespace minfer::cuda
