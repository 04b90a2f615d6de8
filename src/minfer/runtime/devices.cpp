#include "runtime/devices.h"

#include "backends/registry.h"
#include "models/architecture.h"

namespace minfer {

Devices::Devices(const Model& model, const EngineOptions& options) : model_(model.id()) {
  BackendOptions backend_options;
  backend_options.only = options.backend;
  backend_options.n_threads = options.n_threads;
  owned_ = make_backends(backend_options);
  for (const auto& backend : owned_) list_.push_back(backend.get());
  for (Backend* backend : list_)
    for (const ModelWeight& weight : model.architecture().weights())
      backend->register_weight(model_, weight.ref.name, weight.view, weight.uses);
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
