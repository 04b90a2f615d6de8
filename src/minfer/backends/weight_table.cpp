#include "backends/weight_table.h"

#include "base/check.h"

namespace minfer {

void WeightTable::add(ModelId model, std::string_view name, const TensorView& view) {
  MINFER_CHECK(view.data && view.bytes >= tensor_bytes(view.desc), "weight {}: {} bytes for {} {}", name,
               view.bytes, dtype_name(view.desc.dtype), to_string(view.desc.shape));
  models_[model].try_emplace(std::string(name), view);
}

const TensorView* WeightTable::find(ModelId model, std::string_view name) const {
  const auto weights = models_.find(model);
  if (weights == models_.end()) return nullptr;
  const auto weight = weights->second.find(name);
  return weight == weights->second.end() ? nullptr : &weight->second;
}

void WeightTable::release_model(ModelId model) { models_.erase(model); }

}  // namespace minfer
