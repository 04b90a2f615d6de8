// Barriers in shared memory and the bulk copies that complete on them (compute capability 9.0 on).
// PTX ISA: mbarrier, cp.async.bulk.
#pragma once

#include <cstdint>

#include <cuda.h>

namespace minfer::cuda {

__device__ __forceinline__ std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void barrier_init(std::uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// After the inits, by the thread that made them: the asynchronous copies see them.
__device__ __forceinline__ void barrier_init_done() {
  asm volatile("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async.shared::cta;" ::: "memory");
}

// Arrives, and announces bytes that copies will bring.
__device__ __forceinline__ void barrier_expect(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _,[%0],%1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ __forceinline__ void barrier_arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _,[%0];" ::"r"(barrier) : "memory");
}

// Waits until the phase of this parity has completed.
__device__ __forceinline__ void barrier_wait(std::uint32_t barrier, std::uint32_t parity) {
  asm volatile(
      "{\n\t.reg .pred done;\n"
      "WAIT%=:\n\tmbarrier.try_wait.parity.shared::cta.b64 done,[%0],%1;\n\t@!done bra WAIT%=;\n\t}" ::"r"(
          barrier),
      "r"(parity)
      : "memory");
}

// Copies the box of a two-dimensional tensor map at (x, y), x along the contiguous dimension.
__device__ __forceinline__ void copy_box(std::uint32_t target, const CUtensorMap* map, int x, int y,
                                         std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1,{%2,%3}],[%4];" ::
          "r"(target),
      "l"(map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}

// A slot of a ring of kStages and the parity of its use.
template <int kStages>
struct RingSlot {
  int index = 0;
  std::uint32_t parity = 0;
  __device__ void advance() {
    if (++index == kStages) {
      index = 0;
      parity ^= 1;
    }
  }
};

}  // namespace minfer::cuda
