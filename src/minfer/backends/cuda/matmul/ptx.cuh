// Single instructions that CUDA C++ has no name for. Where an architecture lacks one, the function does the plain
// thing or nothing, so that kernels compile for every target.
#pragma once

#include <cstdint>

namespace minfer::cuda {

// Weights are read once: past L1, and in whole 256-byte pieces of L2 where an instruction can ask for that.
__device__ __forceinline__ uint4 load_stream16(const void* address) {
  uint4 v;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define MINFER_L2_PIECES ".L2::256B"
#else
#define MINFER_L2_PIECES
#endif
  asm volatile("ld.global.nc.L1::no_allocate" MINFER_L2_PIECES ".v4.u32 {%0,%1,%2,%3},[%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(address));
#undef MINFER_L2_PIECES
  return v;
}

__device__ __forceinline__ uint2 load_stream8(const void* address) {
  uint2 v;
  asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0,%1},[%2];" : "=r"(v.x), "=r"(v.y) : "l"(address));
  return v;
}

__device__ __forceinline__ std::uint32_t load_stream4(const void* address) {
  std::uint32_t v;
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0,[%1];" : "=r"(v) : "l"(address));
  return v;
}

__device__ __forceinline__ std::uint32_t load_stream2(const void* address) {
  std::uint16_t v;
  asm volatile("ld.global.nc.L1::no_allocate.u16 %0,[%1];" : "=h"(v) : "l"(address));
  return v;
}

// acc + the sum of four products of bytes: b signed, a signed or not.
__device__ __forceinline__ int dot4_unsigned(std::uint32_t a, int b, int acc) {
  int d;
  asm("dp4a.u32.s32 %0,%1,%2,%3;" : "=r"(d) : "r"(a), "r"(b), "r"(acc));
  return d;
}

__device__ __forceinline__ int dot4_signed(std::uint32_t a, int b, int acc) {
  int d;
  asm("dp4a.s32.s32 %0,%1,%2,%3;" : "=r"(d) : "r"(a), "r"(b), "r"(acc));
  return d;
}

// Programmatic dependent launch. A kernel may start before the one in front of it has ended: until it has waited,
// it reads only weights and writes nothing. Every kernel waits, so that having waited means that all earlier ones
// are done.
__device__ __forceinline__ void wait_for_predecessors() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

__device__ __forceinline__ void let_successors_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace minfer::cuda
