// Kernels of the CUDA backend by themselves, on the shapes of real models, beside the bandwidth of a copy.
//   bench_cuda_kernels [matvec|gemm|attention|step ...]   (default: all)
#include <cstring>

#include "bench_support.h"

namespace minfer::cuda::bench {
namespace {

// Outside of a graph, where copies of device memory are kernels that use all of the bandwidth.
double measure_copy(cudaStream_t stream) {
  const std::size_t bytes = std::size_t{1} << 30;
  const DeviceBuffer from(bytes), to(bytes);
  const double us = microseconds_direct(stream, 4, [&](int) {
    MINFER_CUDA(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, stream));
  });
  return 2.0 * static_cast<double>(bytes) / us / 1e3;
}

DeviceLimits read_limits() {
  cudaDeviceProp p;
  MINFER_CUDA(cudaGetDeviceProperties(&p, 0));
  std::printf("%s, compute capability %d.%d, %d SMs\n", p.name, p.major, p.minor, p.multiProcessorCount);
  DeviceLimits limits;
  limits.compute_capability = 10 * p.major + p.minor;
  limits.n_sms = p.multiProcessorCount;
  limits.shared_per_block = p.sharedMemPerBlockOptin;
  limits.l2_bytes = static_cast<std::size_t>(p.l2CacheSize);
  return limits;
}

int run(int argc, char** argv) {
  Bench bench{};
  bench.limits = read_limits();
  MINFER_CUDA(cudaStreamCreateWithFlags(&bench.stream, cudaStreamNonBlocking));
  bench.copy_gbs = measure_copy(bench.stream);
  std::printf("copy %.0f GB/s\n", bench.copy_gbs);
  const auto wanted = [&](const char* name) {
    if (argc == 1) return true;
    for (int i = 1; i < argc; ++i)
      if (std::strcmp(argv[i], name) == 0) return true;
    return false;
  };
  if (wanted("matvec")) bench_matvec(bench);
  if (wanted("gemm")) bench_gemm(bench);
  if (wanted("attention")) bench_attention(bench);
  if (wanted("step")) bench_decode_step(bench);
  std::printf("copy again %.0f GB/s\n", measure_copy(bench.stream));
  return 0;
}

}  // namespace
}  // namespace minfer::cuda::bench

int main(int argc, char** argv) { return minfer::cuda::bench::run(argc, argv); }
