#include "backends/cuda/device/device.h"

#include <fmt/core.h>

#include <chrono>
#include <thread>

#include "backends/cuda/device/check.h"
#include "backends/cuda/device/driver.h"
#include "minfer/error.h"

namespace minfer::cuda {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than any run takes, under a memory checker too; a kernel that does not end is an error, not a hang.
constexpr std::chrono::seconds kWaitLimit{600};
// The answer to a decode step comes within this; after it, the thread leaves the core to others.
constexpr std::chrono::milliseconds kSpin{20};
constexpr std::chrono::microseconds kNap{50};

int attribute(cudaDeviceAttr what, int ordinal) {
  int value = 0;
  MINFER_CUDA(cudaDeviceGetAttribute(&value, what, ordinal));
  return value;
}

int capability_of(int ordinal) {
  return 10 * attribute(cudaDevAttrComputeCapabilityMajor, ordinal) +
         attribute(cudaDevAttrComputeCapabilityMinor, ordinal);
}

}  // namespace

int best_device() {
  int best = -1;
  for (int i = 0; i < device_count(); ++i)
    if (best < 0 || capability_of(i) > capability_of(best)) best = i;
  return best;
}

DeviceLimits read_limits(int ordinal) {
  const int count = device_count();
  if (ordinal < 0 || ordinal >= count)
    throw InvalidRequestError(
        count == 0 ? fmt::format("GPU {} was asked for, but there is no CUDA device", ordinal)
                   : fmt::format("GPU {} does not exist; there are {} (0 to {})", ordinal, count, count - 1));
  cudaDeviceProp properties{};
  MINFER_CUDA(cudaGetDeviceProperties(&properties, ordinal));
  DeviceLimits limits;
  limits.ordinal = ordinal;
  limits.compute_capability = capability_of(ordinal);
  limits.n_sms = properties.multiProcessorCount;
  limits.shared_per_block = properties.sharedMemPerBlockOptin;
  limits.shared_per_sm = properties.sharedMemPerMultiprocessor;
  limits.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  limits.memory_bytes = properties.totalGlobalMem;
  return limits;
}

Device::Device(int ordinal)
    : limits_(read_limits(ordinal)), capture_lock_(CaptureLock::of_device(ordinal)), nvml_(ordinal) {
  cudaDeviceProp properties{};
  MINFER_CUDA(cudaGetDeviceProperties(&properties, ordinal));
  name_ = properties.name;
  MINFER_CUDA(cudaDriverGetVersion(&driver_version_));
  MINFER_CUDA(cudaSetDevice(ordinal));
  void* fault = nullptr;
  MINFER_CUDA(cudaHostAlloc(&fault, sizeof(Fault), cudaHostAllocPortable | cudaHostAllocMapped));
  fault_ = static_cast<Fault*>(fault);
  *fault_ = {};
  MINFER_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Device::~Device() {
  // Nothing to be done about errors here: the device may be dead already.
  static_cast<void>(cudaSetDevice(limits_.ordinal));
  static_cast<void>(cudaStreamDestroy(stream_));
  static_cast<void>(cudaFreeHost(fault_));
  static_cast<void>(cudaGetLastError());
}

void Device::activate() const {
  if (!dead_.empty()) throw DeviceError(fmt::format("the GPU is unusable since an earlier error: {}", dead_));
  MINFER_CUDA(cudaSetDevice(limits_.ordinal));
}

template <class Query>
void Device::wait_until(const char* what, Query query) {
  const Clock::time_point start = Clock::now();
  try {
    for (;;) {
      const cudaError_t status = query();
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) check(status, what);
      const auto waited = Clock::now() - start;
      if (waited > kWaitLimit)
        throw DeviceError(fmt::format("CUDA: the device did not finish within {} s", kWaitLimit.count()));
      if (waited > kSpin) std::this_thread::sleep_for(kNap);
    }
  } catch (const Error& error) {
    dead_ = error.what();
    throw;
  }
}

void Device::synchronize() {
  wait_until("waiting for the stream", [this] { return cudaStreamQuery(stream_); });
}

void Device::wait(cudaEvent_t event) {
  wait_until("waiting for an event", [event] { return cudaEventQuery(event); });
}

Fault Device::take_fault() {
  const Fault fault = *fault_;
  if (fault.kind != 0) *fault_ = {};
  return fault;
}

MemoryInfo Device::memory() const {
  activate();
  std::size_t free = 0;
  std::size_t total = 0;
  MINFER_CUDA(cudaMemGetInfo(&free, &total));
  return {total, free};
}

std::string Device::description() const {
  const std::string version = nvml_.driver_version();
  return fmt::format("{} (compute capability {}.{}, {} SMs up to {} MHz, {:.1f} GiB, driver {}CUDA {}.{})",
                     name_, limits_.compute_capability / 10, limits_.compute_capability % 10, limits_.n_sms,
                     attribute(cudaDevAttrClockRate, limits_.ordinal) / 1000,
                     static_cast<double>(limits_.memory_bytes) / (1 << 30),
                     version.empty() ? "for " : version + " for ", driver_version_ / 1000,
                     driver_version_ % 1000 / 10);
}

}  // namespace minfer::cuda
