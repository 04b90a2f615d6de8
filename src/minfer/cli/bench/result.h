// What one test of minfer bench measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/comparison.h"
#include "cli/bench/options.h"
#include "cli/ceilings.h"
#include "minfer/engine.h"
#include "minfer/model.h"

namespace minfer::cli {

// The share of the ceiling that counts: bandwidth for generation, integer operations for a prompt.
struct CeilingShare {
  double used = 0;        // bytes or operations per second
  double ceiling = 0;     // the same
  const char* unit = "";  // "GB/s" or "Gop/s"
};

// "CPU", "CUDA": as other benchmarks write it.
std::string backend_title(std::string name);

struct BenchResult {
  BenchTest test;
  ModelInfo model;
  std::string backend = "cpu";              // that ran the model, as Engine::backend names it
  std::string device;                       // its description
  std::string time;                         // when it began, "2026-11-30T00:10:00Z"
  std::uint64_t kv_bytes_per_position = 0;  // keys and values of all layers
  std::vector<std::int64_t> samples_ns;
  ClockRates clocks;  // of a GPU, right after the last run
  std::optional<Ceilings> ceilings;
  std::optional<Comparison> comparison;  // with an earlier run of the same test

  std::vector<double> rates() const;  // tokens per second of each sample
  bool noisy() const;                 // a spread above kNoisySpread
  // Bytes that a generated token reads: the weights, and the cells of the positions before it, on average.
  double bytes_per_generated_token() const;
  // Of the median rate. None where nothing was probed, and for a test of both a prompt and generation.
  std::optional<CeilingShare> share() const;
};

}  // namespace minfer::cli
