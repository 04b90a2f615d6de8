#include "runtime/finite.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <vector>

namespace minfer {

bool all_finite(std::span<const float> values) noexcept {
  constexpr std::uint32_t kExponent = 0x7f800000u;
  bool finite = true;  // without an early exit, so that the loop is vectorized
  for (const float value : values) finite &= (std::bit_cast<std::uint32_t>(value) & kExponent) != kExponent;
  return finite;
}

void FiniteObserver::after(const NodeEvent& event) {
  const Node& node = *event.node.node;
  if (!label_.empty() || node.out.dtype != DType::kF32) return;
  std::vector<float> values(static_cast<std::size_t>(node.out.shape.elements()));
  event.device.read(event.buffers.output.buffer, event.buffers.output.offset,
                    std::as_writable_bytes(std::span(values)));
  for (const float value : values) {
    if (std::isfinite(value)) continue;
    label_ = node.label;
    op_ = std::string(op_name(node.op));
    value_ = value;
    return;
  }
}

std::string FiniteObserver::report() const {
  if (label_.empty()) return "the logits hold a value that is not finite, but a second run does not";
  return fmt::format("value {} in the result of {} ({}): the weights or the KV cells before it are broken",
                     value_, label_, op_);
}

}  // namespace minfer
