// The guard against results that are no numbers: a broken model is stopped at the first one and named.
#pragma once

#include <span>
#include <string>

#include "graph/scheduler.h"

namespace minfer {

bool all_finite(std::span<const float> values) noexcept;

// Finds the first node of a run with a non-finite float32 result.
class FiniteObserver final : public Observer {
 public:
  void after(const NodeEvent& event) override;
  // "value nan in the result of blk.3.ffn_down (MatMul)".
  std::string report() const;

 private:
  std::string label_, op_;
  float value_ = 0;
};

}  // namespace minfer
