#include "runtime/devices.h"

#include "backends/registry.h"
#include "base/log.h"
#include "minfer/error.h"
#include "models/architecture.h"

namespace minfer {

Devices::Devices(const Model& model, const EngineOptions& options) : model_(model.id()) {
  BackendOptions backend_options;
  backend_options.only = options.backend;
  backend_options.n_threads = options.n_threads;
  backend_options.gpu = options.gpu;
  owned_ = make_backends(backend_options);
  for (const auto& backend : owned_) list_.push_back(backend.get());
  if (options.gpu >= 0 && !list_.front()->is_gpu())
    throw InvalidRequestError(
        fmt::format("GPU {} was asked for, but this build or machine has none", options.gpu));
  if (list_.front()->is_gpu()) log_info("{}: {}", list_.front()->name(), list_.front()->description());
  for (Backend* backend : list_)
    for (const ModelWeight& weight : model.architecture().weights())
      backend->register_weight(model_, weight.ref.name, weight.view, weight.uses);
}

std::vector<std::string> built_backends() {
  const auto names = backend_names();
  return {names.begin(), names.end()};
}

Devices::~Devices() {
  for (Backend* backend : list_) backend->release_model(model_);
}

std::string Devices::description() const {
  std::string text;
  for (const Backend* backend : list_) text += (text.empty() ? "" : "; ") + backend->description();
  return text;
}

}  // namespace minfer
