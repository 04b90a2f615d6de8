#include "backends/cuda/device/nvml.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <array>

namespace minfer::cuda {
namespace {

// The few declarations of nvml.h that are needed (https://docs.nvidia.com/deploy/nvml-api): a result of 0 is success.
using Init = int (*)();
using FindDevice = int (*)(const char* bus_id, void** device);
using GetVersion = int (*)(char* version, unsigned length);
using GetClock = int (*)(void* device, int kind, unsigned* mhz);
constexpr int kCoreClock = 1;
constexpr int kMemoryClock = 2;

constexpr std::array kPlaces = {
    "libnvidia-ml.so.1",
    "/usr/local/nvidia/lib64/libnvidia-ml.so.1",
    "/usr/lib/wsl/lib/libnvidia-ml.so.1",
    "/run/opengl-driver/lib/libnvidia-ml.so.1",
};

void* load() {
  for (const char* place : kPlaces)
    if (void* library = dlopen(place, RTLD_LAZY | RTLD_LOCAL)) return library;
  return nullptr;
}

}  // namespace

template <typename Function>
Function Nvml::find(const char* name) const {
  return library_ ? reinterpret_cast<Function>(dlsym(library_, name)) : nullptr;
}

Nvml::Nvml(int ordinal) noexcept : library_(load()) {
  const auto init = find<Init>("nvmlInit_v2");
  const auto find_device = find<FindDevice>("nvmlDeviceGetHandleByPciBusId_v2");
  std::array<char, 32> bus_id{};
  const bool named = cudaDeviceGetPCIBusId(bus_id.data(), bus_id.size(), ordinal) == cudaSuccess;
  if (!named) static_cast<void>(cudaGetLastError());
  if (!init || init() != 0) {
    if (library_) dlclose(library_);
    library_ = nullptr;
    return;
  }
  if (!named || !find_device || find_device(bus_id.data(), &device_) != 0) device_ = nullptr;
}

Nvml::~Nvml() {
  if (const auto shutdown = find<Init>("nvmlShutdown")) static_cast<void>(shutdown());
  if (library_) dlclose(library_);
}

std::string Nvml::driver_version() const {
  std::array<char, 96> version{};
  const auto get = find<GetVersion>("nvmlSystemGetDriverVersion");
  return get && get(version.data(), version.size() - 1) == 0 ? version.data() : "";
}

DeviceClocks Nvml::clocks() const {
  const auto get = find<GetClock>("nvmlDeviceGetClockInfo");
  const auto clock = [&](int kind) {
    unsigned mhz = 0;
    return get && device_ && get(device_, kind, &mhz) == 0 ? static_cast<int>(mhz) : 0;
  };
  return {clock(kCoreClock), clock(kMemoryClock)};
}

}  // namespace minfer::cuda
