#include "cli/bench/fields.h"

#include <string>

#include "base/cpu_features.h"
#include "cli/bench/statistics.h"
#include "cli/version.h"

namespace minfer::cli {
namespace {

using Json = nlohmann::ordered_json;

void add_identity(Json& json, const BenchResult& result) {
  const BenchTest& test = result.test;
  json["build_commit"] = build_commit();
  json["build_number"] = build_number();
  json["cpu_info"] = cpu_name();
  json["gpu_info"] = result.backend == "cpu" ? "" : result.device;
  json["gpu_core_mhz"] = result.clocks.core_mhz;
  json["gpu_memory_mhz"] = result.clocks.memory_mhz;
  json["backends"] = backend_title(result.backend);
  json["model_filename"] = result.model.path;
  json["model_type"] = result.model.type;
  json["model_size"] = result.model.tensor_bytes;
  json["model_n_params"] = result.model.n_params;
  json["n_batch"] = test.n_batch;
  json["n_ubatch"] = test.n_ubatch;
  json["n_threads"] = test.n_threads;
  json["type_k"] = test.kv_type;
  json["type_v"] = test.kv_type;
  json["n_gpu_layers"] = result.backend == "cpu" ? 0 : result.model.n_layer;
  json["n_prompt"] = test.n_prompt;
  json["n_gen"] = test.n_gen;
  json["n_depth"] = test.n_depth;
  json["test_time"] = result.time;
}

void add_rates(Json& json, const BenchResult& result) {
  const std::vector<double> rates = result.rates();
  const std::vector<double> times(result.samples_ns.begin(), result.samples_ns.end());
  json["avg_ns"] = static_cast<std::int64_t>(mean(times));
  json["stddev_ns"] = static_cast<std::int64_t>(sample_deviation(times));
  json["avg_ts"] = mean(rates);
  json["stddev_ts"] = sample_deviation(rates);
  json["median_ts"] = median(rates);
  json["spread"] = spread(rates);
  json["noisy"] = result.noisy();
}

// "read_gb_s" is what a test of generation used, "int8_gop_s" what one of a prompt did.
void add_ceilings(Json& json, const BenchResult& result) {
  json["ceiling_read_gb_s"] = result.ceilings->read_bytes_per_s * 1e-9;
  json["ceiling_int8_gop_s"] = result.ceilings->int8_ops_per_s * 1e-9;
  json["ceiling_int8_kernel"] = result.ceilings->int8_kernel;
  json["ceiling_fma_gflop_s"] = result.ceilings->fma_flops_per_s * 1e-9;
  json["ceiling_fma_kernel"] = result.ceilings->fma_kernel;
  const auto share = result.share();
  const bool generation = result.test.n_gen > 0;
  json["read_gb_s"] = share && generation ? Json(share->used * 1e-9) : Json();
  json["int8_gop_s"] = share && !generation ? Json(share->used * 1e-9) : Json();
  json["ceiling_share"] = share ? Json(share->used / share->ceiling) : Json();
}

void add_comparison(Json& json, const BenchResult& result) {
  const auto& c = result.comparison;
  json["compare_ratio"] = c ? Json(c->ratio) : Json();
  json["compare_lowest"] = c ? Json(c->lowest) : Json();
  json["compare_highest"] = c ? Json(c->highest) : Json();
  json["compare_verdict"] = c ? Json(std::string(verdict_name(c->verdict))) : Json();
}

}  // namespace

Json bench_fields(const BenchResult& result, const BenchOptions& options) {
  Json json;
  add_identity(json, result);
  add_rates(json, result);
  if (options.ceilings) add_ceilings(json, result);
  if (!options.compare.empty()) add_comparison(json, result);
  json["samples_ns"] = result.samples_ns;
  json["samples_ts"] = result.rates();
  return json;
}

}  // namespace minfer::cli
