// Probes of the integer peak: loops that do nothing but multiply int8 values and add the products into int32. One
// unit an instruction set, compiled for it, which exports its table entry alone; int8_rate.cpp picks one.
#pragma once

namespace minfer {

struct Int8Probe {
  const char* name;  // "avx512 vpdpbusd"
  // Runs `iterations` loops of ops_per_iteration operations; a multiply-add counts as two. The result depends on
  // all of them.
  int (*run)(long iterations);
  long ops_per_iteration;
};

extern const Int8Probe kInt8ProbeScalar;
#if defined(__x86_64__)
extern const Int8Probe kInt8ProbeAvx2;
extern const Int8Probe kInt8ProbeAvxVnni;
extern const Int8Probe kInt8ProbeAvx512Vnni;
#elif defined(__aarch64__)
extern const Int8Probe kInt8ProbeNeon;
extern const Int8Probe kInt8ProbeNeonDotprod;
extern const Int8Probe kInt8ProbeNeonI8mm;
#endif

}  // namespace minfer
