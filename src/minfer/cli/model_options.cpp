#include "cli/model_options.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>

#include "base/levers.h"
#include "cli/command.h"
#include "minfer/error.h"

namespace minfer::cli {
namespace {

constexpr const char* kShippedModel = "minfer-demo-q4_k_m.gguf";

}  // namespace

void add_model_option(CLI::App& parser, std::string& model) {
  parser.add_option("-m,--model", model, "GGUF file (default: the small demo model that comes with minfer)");
}

void add_context_option(CLI::App& parser, ModelOptions& options) {
  parser
      .add_option("-c,--ctx-size", options.engine.n_ctx,
                  "Positions of context (default: what the model was trained for, at most 4096)")
      ->check(CLI::Range(0, 1 << 28));
}

void add_engine_options(CLI::App& parser, ModelOptions& options) {
  parser
      .add_option("-t,--threads", options.engine.n_threads,
                  "Threads (default: the cores this process may use)")
      ->check(CLI::Range(1, 1024));
  parser
      .add_option("--ubatch,--ubatch-size", options.engine.n_ubatch,
                  "Prompt tokens computed together (default: 512, on a GPU 2048)")
      ->check(CLI::Range(1, 1 << 16));
  parser.add_option("--kv,--cache-type", options.kv_type,
                    "Type of KV cells: f32, f16 or q8_0 (default: f32; f16 for larger models on a GPU)");
  parser.add_option("--backend", options.engine.backend, "Run on this backend alone: cpu, cuda or reference");
  parser
      .add_option("--gpu", options.engine.gpu,
                  "Number of the GPU to run on (default: the best one, where this build supports any)")
      ->check(CLI::Range(0, 255));
}

std::string resolve_model_path(const std::string& given) {
  if (!given.empty()) return given;
  const std::filesystem::path program = std::filesystem::canonical("/proc/self/exe");
  for (auto folder = program.parent_path(); folder != folder.root_path(); folder = folder.parent_path()) {
    const auto candidate = folder / "models" / kShippedModel;
    if (std::filesystem::exists(candidate)) return candidate.string();
  }
  throw InvalidRequestError(
      fmt::format("no model given, and models/{} is not beside the program", kShippedModel));
}

KvCellType parse_kv_type(const std::string& name) {
  if (name == "f32") return KvCellType::kF32;
  if (name == "f16") return KvCellType::kF16;
  if (name == "q8_0") return KvCellType::kQ8_0;
  throw UsageError(fmt::format("KV cell type \"{}\" is not known (f32, f16 and q8_0 are)", name));
}

std::string_view kv_type_name(KvCellType type) {
  switch (type) {
    case KvCellType::kF32:
      return "f32";
    case KvCellType::kF16:
      return "f16";
    case KvCellType::kQ8_0:
      return "q8_0";
    case KvCellType::kDefault:
      break;
  }
  return "";
}

std::shared_ptr<const Model> load_model(const ModelOptions& options) {
  return Model::load(resolve_model_path(options.model));
}

std::unique_ptr<Engine> make_engine(std::shared_ptr<const Model> model, const ModelOptions& options) {
  EngineOptions engine = options.engine;
  const std::string& kv_type = options.kv_type.empty() ? levers().cache_type : options.kv_type;
  if (!kv_type.empty()) engine.kv_cell = parse_kv_type(kv_type);
  return std::make_unique<Engine>(std::move(model), engine);
}

}  // namespace minfer::cli
