#include "backends/cuda/device/driver.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <array>

namespace minfer::cuda {
namespace {

constexpr const char* kDriver = "libcuda.so.1";

// Containers, WSL and NixOS put the driver here without telling the linker.
constexpr std::array kPlaces = {
    "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
    "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
    "/usr/lib64/libcuda.so.1",
    "/usr/local/nvidia/lib64/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
    "/run/opengl-driver/lib/libcuda.so.1",
    "/usr/local/cuda/compat/libcuda.so.1",
};

}  // namespace

void preload_driver() {
  if (dlopen(kDriver, RTLD_LAZY | RTLD_GLOBAL)) return;
  // A library that is loaded under its name is what the runtime then finds when it looks for that name.
  for (const char* place : kPlaces)
    if (dlopen(place, RTLD_LAZY | RTLD_GLOBAL)) return;
}

int device_count() {
  preload_driver();
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  return error == cudaSuccess ? count : 0;
}

}  // namespace minfer::cuda
