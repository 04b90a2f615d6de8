// The model's half of minfer doctor: its kernels, the memory that it takes, and how fast it can be.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "cli/ceilings.h"
#include "cli/model_options.h"
#include "minfer/engine.h"

namespace minfer::cli {

// The weights of one type, and what reads them.
struct TypeUse {
  int n_tensors = 0;
  std::uint64_t bytes = 0;
  std::set<std::string> decode, prefill;  // kernels
};

// What bounds a token where the CPU runs it.
struct PrefillCost {
  double int8_ops = 0;  // a token's, of quantized weights in the layers
  double flops = 0;     // the same of float weights
};

struct ModelReport {
  ModelInfo info;
  std::string device;   // Engine::description
  std::string backend;  // that runs it, and whose memory counts
  int n_ctx = 0;
  int n_prefill = 0;  // tokens computed together
  std::string kv_type;
  std::map<std::string, TypeUse> types;
  std::uint64_t kv_bytes_per_position = 0;
  std::uint64_t activation_bytes = 0;
  bool on_cpu = true;  // every node; else the CPU's ceilings bound nothing
  PrefillCost prefill;

  std::uint64_t kv_bytes(std::int64_t n_positions) const;  // whole pages
  std::uint64_t needed_bytes() const;                      // at the context of the report
  // Positions that fit beside weights and activations; 0 where not even those fit.
  std::int64_t largest_context(std::uint64_t usable_bytes) const;
};

ModelReport describe_model(const ModelOptions& options);

// Tokens a second at most; none where nothing was measured that bounds them.
struct SpeedLimits {
  double decode_empty = 0;  // with nothing before
  double decode_full = 0;   // with a full context
  double prefill = 0;
};
std::optional<SpeedLimits> speed_limits(const ModelReport& report, const Ceilings& ceilings);

nlohmann::ordered_json model_json(const ModelReport& report, const Ceilings& ceilings,
                                  std::uint64_t usable_bytes);
std::string model_text(const ModelReport& report, const Ceilings& ceilings, std::uint64_t usable_bytes);

}  // namespace minfer::cli
