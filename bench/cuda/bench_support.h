// Timing of kernels: a series of launches is captured in a CUDA graph, as decoding replays it, and replayed several
// times.
#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#include <cuda_runtime_api.h>

#include "backends/cuda/device/check.h"
#include "backends/cuda/device/limits.h"
#include "quant/traits.h"

namespace minfer::cuda::bench {

class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
    MINFER_CUDA(cudaMalloc(&data_, bytes));
    MINFER_CUDA(cudaMemset(data_, 0, bytes));
  }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  std::byte* get() const { return static_cast<std::byte*>(data_); }
  std::size_t bytes() const { return bytes_; }
  // Repeats a pattern over the buffer: random values made once on the host.
  void fill(const std::vector<std::byte>& pattern) {
    for (std::size_t at = 0; at < bytes_; at += pattern.size()) {
      MINFER_CUDA(cudaMemcpy(get() + at, pattern.data(), std::min(pattern.size(), bytes_ - at),
                             cudaMemcpyHostToDevice));
    }
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

inline std::vector<float> random_values(std::size_t n, float spread) {
  std::mt19937 engine(1234);
  std::normal_distribution<float> normal(0.0f, spread);
  std::vector<float> v(n);
  for (float& x : v) x = normal(engine);
  return v;
}

// Random values encoded in a type.
inline std::vector<std::byte> random_blocks(DType type, std::size_t n, float spread) {
  std::vector<std::byte> blocks(row_bytes(type, static_cast<std::int64_t>(n)));
  quant_traits(type).encode(random_values(n, spread).data(), blocks.data(), static_cast<std::int64_t>(n));
  return blocks;
}

// Microseconds of one of `repeats` in a call of `enqueue`: the median of 9 calls.
inline double median_microseconds(cudaStream_t stream, int repeats, const std::function<void()>& enqueue) {
  cudaEvent_t begin, end;
  MINFER_CUDA(cudaEventCreate(&begin));
  MINFER_CUDA(cudaEventCreate(&end));
  std::vector<double> times;
  for (int i = 0; i < 11; ++i) {
    MINFER_CUDA(cudaEventRecord(begin, stream));
    enqueue();
    MINFER_CUDA(cudaEventRecord(end, stream));
    MINFER_CUDA(cudaEventSynchronize(end));
    float ms = 0;
    MINFER_CUDA(cudaEventElapsedTime(&ms, begin, end));
    if (i >= 2) times.push_back(1000.0 * static_cast<double>(ms) / repeats);
  }
  std::sort(times.begin(), times.end());
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return times[times.size() / 2];
}

// Time of one call of `body`, which enqueues something on the stream.
inline double microseconds_direct(cudaStream_t stream, int repeats, const std::function<void(int)>& body) {
  return median_microseconds(stream, repeats, [&] {
    for (int i = 0; i < repeats; ++i) body(i);
  });
}

// The same, replayed from a graph.
inline double microseconds(cudaStream_t stream, int repeats, const std::function<void(int)>& body) {
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  MINFER_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < repeats; ++i) body(i);
  MINFER_CUDA(cudaStreamEndCapture(stream, &graph));
  MINFER_CUDA(cudaGraphInstantiate(&replay, graph, 0));
  const double us =
      median_microseconds(stream, repeats, [&] { MINFER_CUDA(cudaGraphLaunch(replay, stream)); });
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
  return us;
}

struct Bench {
  cudaStream_t stream;
  DeviceLimits limits;
  double copy_gbs;  // bytes read and written
};

void bench_matvec(const Bench& bench);
void bench_gemm(const Bench& bench);
void bench_attention(const Bench& bench);
void bench_decode_step(const Bench& bench);

}  // namespace minfer::cuda::bench
