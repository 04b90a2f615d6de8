// The backends an engine runs on, in order of preference, with the model's weights registered on each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "minfer/engine.h"

namespace minfer {

class Devices {
 public:
  // Makes the backends of this build, or the one that options.backend names (InvalidRequestError where it is not
  // known), and declares the model's weights to them. The model must outlive this.
  Devices(const Model& model, const EngineOptions& options);
  ~Devices();
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  std::span<Backend* const> list() const { return list_; }
  std::string description() const;

 private:
  ModelId model_;
  std::vector<std::unique_ptr<Backend>> owned_;
  std::vector<Backend*> list_;
};

}  // namespace minfer
