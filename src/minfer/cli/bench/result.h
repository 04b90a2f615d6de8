// What one test of minfer bench measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/options.h"
#include "minfer/model.h"

namespace minfer::cli {

double mean(const std::vector<double>& values);              // of at least one
double sample_deviation(const std::vector<double>& values);  // 0 of a single one
double median(std::vector<double> values);                   // of at least one

// What the machine can do with the test's threads, measured just before it.
struct Ceilings {
  double read_bytes_per_s = 0;
  double int8_ops_per_s = 0;
  std::string int8_kernel;
};

// The share of the ceiling that counts: bandwidth for generation, integer operations for a prompt.
struct CeilingShare {
  double used = 0;        // bytes or operations per second
  double ceiling = 0;     // the same
  const char* unit = "";  // "GB/s" or "Gop/s"
};

struct BenchResult {
  BenchTest test;
  ModelInfo model;
  std::string time;  // when it began, "2026-11-30T00:10:00Z"
  std::vector<std::int64_t> samples_ns;
  std::optional<Ceilings> ceilings;

  std::vector<double> rates() const;  // tokens per second of each sample
  // A sample deviation above 5 % of the mean.
  bool noisy() const;
  // None where nothing was probed, and for a test of both a prompt and generation.
  std::optional<CeilingShare> share() const;
};

}  // namespace minfer::cli
