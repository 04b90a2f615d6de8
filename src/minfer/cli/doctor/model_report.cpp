// How doctor's half on the model is printed.
#include <fmt/core.h>

#include "cli/doctor/lines.h"
#include "cli/doctor/model.h"
#include "cli/units.h"

namespace minfer::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string types_text(const ModelReport& report) {
  std::string text = "\nkernels by weight type\n";
  for (const auto& [type, use] : report.types) {
    text += fmt::format("  {:<8}{} tensor{}, {}\n", type, use.n_tensors, use.n_tensors == 1 ? "" : "s",
                        size_text(use.bytes));
    text += "    " + padded("1 token", 16) + joined(use.decode, ", ") + "\n";
    text +=
        "    " + padded(fmt::format("{} tokens", report.n_prefill), 16) + joined(use.prefill, ", ") + "\n";
  }
  return text;
}

void add_memory(const ModelReport& report, std::uint64_t usable_bytes, Lines& lines) {
  const std::uint64_t needed = report.needed_bytes();
  lines.add("weights", size_text(report.info.tensor_bytes) + ", in the mapped file");
  lines.add("KV cells", fmt::format("{} for {} positions of {} bytes ({}), committed as they are written",
                                    size_text(report.kv_bytes(report.n_ctx)), report.n_ctx,
                                    report.kv_bytes_per_position, report.kv_type));
  lines.add("activations",
            fmt::format("{} for {} tokens at once", size_text(report.activation_bytes), report.n_prefill));
  lines.add("together", fmt::format("{} of {} available: {}", size_text(needed), size_text(usable_bytes),
                                    needed <= usable_bytes ? "fits" : "does not fit"));
  lines.add("largest context", fmt::format("{} positions fit; the model was trained for {}",
                                           report.largest_context(usable_bytes), report.info.n_ctx_train));
}

void add_speed(const ModelReport& report, const Ceilings& ceilings, Lines& lines) {
  const auto limits = speed_limits(report, ceilings);
  if (!limits) return lines.add("speed limits", "unknown: not all of it runs on the CPU");
  lines.add(
      "decode at most",
      fmt::format("{:.1f} tokens/s, {:.1f} after {} positions (by the bandwidth, for weights and cells)",
                  limits->decode_empty, limits->decode_full, report.n_ctx));
  lines.add("prefill at most",
            fmt::format("{:.0f} tokens/s (by the {} peak, for the layers' products)", limits->prefill,
                        report.prefill.int8_ops > 0 ? "integer" : "float"));
}

}  // namespace

std::string model_text(const ModelReport& report, const Ceilings& ceilings, std::uint64_t usable_bytes) {
  Lines head, rest;
  head.add("model", fmt::format("{}, {} layers", report.info.type, report.info.n_layer));
  head.add("runs on", report.device);
  add_memory(report, usable_bytes, rest);
  add_speed(report, ceilings, rest);
  return "\n" + head.text() + types_text(report) + "\n" + rest.text();
}

Json model_json(const ModelReport& report, const Ceilings& ceilings, std::uint64_t usable_bytes) {
  Json json = {{"path", report.info.path},
               {"type", report.info.type},
               {"runs_on", report.device},
               {"n_ctx", report.n_ctx},
               {"n_ctx_train", report.info.n_ctx_train},
               {"kv_type", report.kv_type}};
  json["types"] = Json::array();
  for (const auto& [type, use] : report.types)
    json["types"].push_back({{"type", type},
                             {"tensors", use.n_tensors},
                             {"bytes", use.bytes},
                             {"decode", use.decode},
                             {"prefill", use.prefill}});
  json["weights_bytes"] = report.info.tensor_bytes;
  json["kv_bytes_per_position"] = report.kv_bytes_per_position;
  json["kv_bytes"] = report.kv_bytes(report.n_ctx);
  json["activation_bytes"] = report.activation_bytes;
  json["needed_bytes"] = report.needed_bytes();
  json["usable_bytes"] = usable_bytes;
  json["largest_context"] = report.largest_context(usable_bytes);
  const auto limits = speed_limits(report, ceilings);
  json["decode_limit_ts"] = limits ? Json(limits->decode_empty) : Json();
  json["decode_limit_full_ts"] = limits ? Json(limits->decode_full) : Json();
  json["prefill_limit_ts"] = limits ? Json(limits->prefill) : Json();
  return json;
}

}  // namespace minfer::cli
