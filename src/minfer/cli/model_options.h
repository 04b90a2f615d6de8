// The options that every command on a model shares: which file, how many threads, how much context.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "minfer/engine.h"
#include "minfer/model.h"

namespace CLI {
class App;
}

namespace minfer::cli {

struct ModelOptions {
  std::string model;    // empty: the shipped model
  std::string kv_type;  // empty: MINFER_CACHE_TYPE, else f32
  EngineOptions engine;
};

void add_model_option(CLI::App& parser, std::string& model);
void add_context_option(CLI::App& parser, ModelOptions& options);
void add_engine_options(CLI::App& parser, ModelOptions& options);  // threads, micro-batch, KV type, backend

// The path given, or that of the shipped model, which is looked for in models/ beside the program and in every
// folder above it. Throws InvalidRequestError where that is not found.
std::string resolve_model_path(const std::string& given);

// "f32", "f16" or "q8_0"; throws UsageError for anything else.
KvCellType parse_kv_type(const std::string& name);
// The same name; "" for kDefault.
std::string_view kv_type_name(KvCellType type);

std::shared_ptr<const Model> load_model(const ModelOptions& options);
std::unique_ptr<Engine> make_engine(std::shared_ptr<const Model> model, const ModelOptions& options);

}  // namespace minfer::cli
