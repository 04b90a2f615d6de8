// Probes of the float peak: loops that do nothing but fused multiply-adds of float32. One unit an instruction set,
// compiled for it, which exports its table entry alone; ceilings.cpp picks one.
#pragma once

namespace minfer {

struct FmaProbe {
  const char* name;  // "avx512 vfmadd"
  // Runs `iterations` loops of flops_per_iteration operations; a multiply-add counts as two. The result depends on
  // all of them.
  float (*run)(long iterations);
  long flops_per_iteration;
};

extern const FmaProbe kFmaProbeScalar;
#if defined(__x86_64__)
extern const FmaProbe kFmaProbeAvx2;
extern const FmaProbe kFmaProbeAvx512;
#elif defined(__aarch64__)
extern const FmaProbe kFmaProbeNeon;
#endif

}  // namespace minfer
