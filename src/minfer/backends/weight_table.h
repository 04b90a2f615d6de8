// The weights that a backend in host memory reads, where the model file's bytes are. Keyed by (model, name).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "backends/backend.h"

namespace minfer {

class WeightTable {
 public:
  // Registering the same (model, name) again does nothing. Throws InternalError where the view has fewer bytes than
  // its description needs.
  void add(ModelId model, std::string_view name, const TensorView& view);
  bool has(ModelId model, std::string_view name) const { return find(model, name) != nullptr; }
  const TensorView* find(ModelId model, std::string_view name) const;  // null where unknown
  void release_model(ModelId model);

 private:
  std::map<ModelId, std::map<std::string, TensorView, std::less<>>> models_;
};

}  // namespace minfer
