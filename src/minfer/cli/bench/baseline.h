// An earlier run of minfer bench, read from the JSON lines that it wrote.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bench/result.h"

namespace minfer::cli {

class Baseline {
 public:
  // Each line that is not blank is one result; those of the same test are taken together. `name` is for messages.
  // Throws InvalidFileError with the line's number for one that is no such result, and for a text without any.
  static Baseline parse(std::string_view text, const std::string& name);
  // Of a file; also throws InvalidRequestError where it cannot be read or is too large to be one.
  static Baseline read(const std::string& path);

  // The rates of the same model, test and settings, or null. What was found is no longer unmatched.
  const std::vector<double>* find(const BenchResult& result);
  // Rows that nothing was compared with, as people read them.
  std::vector<std::string> unmatched() const;
  const std::string& name() const { return name_; }

 private:
  struct Row {
    std::vector<double> rates;
    bool found = false;
  };
  std::string name_;
  std::map<std::string, Row> rows_;  // by what identifies them
};

// "qwen3 0.6B Q4_0, 364904448 bytes, pp512, CPU, 2 threads, batch 2048 of 512, KV f32".
std::string bench_row_identity(const BenchResult& result);

}  // namespace minfer::cli
