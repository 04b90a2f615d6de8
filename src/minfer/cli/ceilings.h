// What the machine can do at most with a number of threads, measured.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace minfer::cli {

struct Ceilings {
  double read_bytes_per_s = 0;
  double int8_ops_per_s = 0;  // a multiply-add counts as two
  std::string int8_kernel;
  double fma_flops_per_s = 0;  // the same
  std::string fma_kernel;
};

// Of reading `bytes`, and of the best instructions that the CPU has. Takes about a second (base/probe/ceilings.h).
Ceilings measure_ceilings(std::span<const std::byte> bytes, int n_threads);

}  // namespace minfer::cli
