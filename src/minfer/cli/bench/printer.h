// Results of minfer bench as they come, in the formats of llama-bench, so that tools and people that read those
// read ours (https://github.com/ggml-org/llama.cpp/tree/master/tools/llama-bench).
#pragma once

#include <memory>

#include "cli/bench/result.h"

namespace minfer::cli {

class BenchPrinter {
 public:
  virtual ~BenchPrinter() = default;
  virtual void print(const BenchResult& result) = 0;
  virtual void finish() {}  // after the last result, also where the run was stopped
};

// By options.format. A table has the columns that the options make relevant.
std::unique_ptr<BenchPrinter> make_bench_printer(const BenchOptions& options);

}  // namespace minfer::cli
