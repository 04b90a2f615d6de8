// The tensor cores' products of a warp, and how their operands come into registers (compute capability 8.0 on).
// Kernels that use them test MINFER_HAS_MMA; for older targets the functions do nothing, so that everything compiles.
// PTX ISA: mma.sync, ldmatrix, cp.async. Layouts of a fragment: thread t has row t / 4 and columns around t % 4.
#pragma once

#include <cstdint>

namespace minfer::cuda {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define MINFER_HAS_MMA 1
#endif

__device__ __forceinline__ std::uint32_t to_shared(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

// d (16 x 8 float32) += a (16 x 16 float16) b (16 x 8).
__device__ __forceinline__ void mma_f16(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                        std::uint32_t b1) {
#ifdef MINFER_HAS_MMA
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

// d (16 x 8 int32) = a (16 x 32 int8) b (32 x 8) + d.
__device__ __forceinline__ void mma_s8(int (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                       std::uint32_t b1) {
#ifdef MINFER_HAS_MMA
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

// d (16 x 8 int32) = a (16 x 16 int8) b (16 x 8) + d.
__device__ __forceinline__ void mma_s8_k16(int (&d)[4], std::uint32_t a0, std::uint32_t a1, std::uint32_t b) {
#ifdef MINFER_HAS_MMA
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(a0), "r"(a1), "r"(b));
#endif
}

// Four 8 x 8 matrices of 16-bit elements; lane i gives the address of row i % 8 of matrix i / 8.
__device__ __forceinline__ void load_matrices(std::uint32_t (&r)[4], std::uint32_t address) {
#ifdef MINFER_HAS_MMA
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
#endif
}

__device__ __forceinline__ void load_matrices_transposed(std::uint32_t (&r)[4], std::uint32_t address) {
#ifdef MINFER_HAS_MMA
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
#endif
}

// 16 bytes from global to shared memory; zeros where !valid (the source is then not read).
__device__ __forceinline__ void copy16_async(std::uint32_t target, const void* source, bool valid = true) {
#ifdef MINFER_HAS_MMA
  const int bytes = valid ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0],[%1],16,%2;" ::"r"(target), "l"(source), "r"(bytes)
               : "memory");
#endif
}
__device__ __forceinline__ void copies_commit() {
#ifdef MINFER_HAS_MMA
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int kPending>
__device__ __forceinline__ void copies_wait() {
#ifdef MINFER_HAS_MMA
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
#endif
}

}  // namespace minfer::cuda
