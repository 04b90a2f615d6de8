// A result as names and values, for the formats that programs read.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/bench/result.h"

namespace minfer::cli {

// llama-bench's keys where they mean the same, in its order (https://github.com/ggml-org/llama.cpp, tools/llama-bench,
// test::get_fields), then our own. The keys depend on the options alone, so that every row of a run has the same:
// with ceilings, and with an earlier run to compare with. A value that a row has not is null.
nlohmann::ordered_json bench_fields(const BenchResult& result, const BenchOptions& options);

}  // namespace minfer::cli
