#include "cli/ceilings.h"

#include "base/probe/ceilings.h"

namespace minfer::cli {

Ceilings measure_ceilings(std::span<const std::byte> bytes, int n_threads) {
  ThreadPool pool(n_threads);
  const Int8Probe& int8 = int8_probe(detect_cpu_features());
  const FmaProbe& fma = fma_probe(detect_cpu_features());
  return {measure_read_rate(bytes, pool), measure_int8_rate(int8, pool), int8.name,
          measure_fma_rate(fma, pool), fma.name};
}

}  // namespace minfer::cli
