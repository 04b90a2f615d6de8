// minfer doctor: what this machine offers, and what a model would get of it.
#include "cli/doctor.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/mmap_file.h"
#include "cli/doctor/machine.h"
#include "cli/doctor/model.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "cli/units.h"

namespace minfer::cli {
namespace {

struct DoctorOptions {
  ModelOptions model;
  bool json = false;
};

// More than a last-level cache usually holds; a file may be larger than memory, so not all of it is read.
constexpr std::size_t kMemoryBytes = std::size_t{512} << 20;
constexpr std::size_t kFileBytes = std::size_t{1} << 30;

void measure(MachineReport& report, const std::optional<ModelReport>& model) {
  show_progress("measuring");
  if (model) {
    const MmapFile file(model->info.path);
    const auto bytes = file.bytes().first(std::min(file.bytes().size(), kFileBytes));
    report.ceilings = measure_ceilings(bytes, report.n_threads);
    report.read_from = fmt::format("{} of the model file", size_text(bytes.size()));
  } else {
    const std::size_t usable = static_cast<std::size_t>(report.memory.usable_bytes());
    const std::vector<std::byte> bytes(std::clamp(usable / 4, std::size_t{1} << 20, kMemoryBytes),
                                       std::byte{1});
    report.ceilings = measure_ceilings(bytes, report.n_threads);
    report.read_from = fmt::format("{} of memory", size_text(bytes.size()));
  }
  show_progress("");
}

// Of the device that would run the model.
std::uint64_t usable_bytes(const MachineReport& machine, const std::optional<ModelReport>& model) {
  for (const BackendStatus& backend : machine.backends)
    if (model && backend.available && backend.name == model->backend) return backend.free_bytes;
  return machine.memory.usable_bytes();
}

int doctor(const DoctorOptions& options) {
  // The model first: where it is refused, that is all there is to say.
  std::optional<ModelReport> model;
  if (!options.model.model.empty()) model = describe_model(options.model);
  MachineReport machine = describe_machine(options.model.engine.n_threads);
  measure(machine, model);
  const std::uint64_t usable = usable_bytes(machine, model);
  if (options.json) {
    nlohmann::ordered_json json = machine_json(machine);
    if (model) json["model"] = model_json(*model, machine.ceilings, usable);
    write_output(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  } else {
    write_output(machine_text(machine) + (model ? model_text(*model, machine.ceilings, usable) : ""));
  }
  return 0;
}

}  // namespace

CommandBody declare_doctor(CLI::App& parser) {
  auto options = std::make_shared<DoctorOptions>();
  parser.add_option("MODEL,-m,--model", options->model.model, "GGUF file to report on as well");
  add_context_option(parser, options->model);
  add_engine_options(parser, options->model);
  parser.add_flag("--json", options->json, "One JSON object");
  return [options] { return doctor(*options); };
}

}  // namespace minfer::cli
