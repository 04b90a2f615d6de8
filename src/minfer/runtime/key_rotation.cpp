#include "runtime/key_rotation.h"

#include <cmath>
#include <cstring>

#include "quant/traits.h"

namespace minfer {

RowRotator::RowRotator(const KvGeometry& geometry, const KeyRotation& rotation, int offset)
    : geometry_(geometry), style_(rotation.style), n_dims_(rotation.n_dims) {
  for (const double frequency : rotation.frequencies) {
    cos_.push_back(static_cast<float>(std::cos(offset * frequency)));
    sin_.push_back(static_cast<float>(std::sin(offset * frequency)));
  }
}

void RowRotator::rotate(std::span<std::byte> row) const {
  const QuantTraits& traits = quant_traits(geometry_.cell);
  std::vector<float> values(static_cast<std::size_t>(geometry_.row_values()));
  traits.decode(row.data(), values.data(), geometry_.row_values());
  rotate_values(values);
  traits.encode(values.data(), row.data(), geometry_.row_values());
}

void RowRotator::rotate_values(std::span<float> values) const {
  const auto half = static_cast<std::size_t>(n_dims_ / 2);
  const auto head_dim = static_cast<std::size_t>(geometry_.head_dim);
  for (std::size_t head = 0; head < values.size(); head += head_dim) {
    for (std::size_t pair = 0; pair < half; ++pair) {
      const bool neox = style_ == RopeStyle::kNeox;
      float& a = values[head + (neox ? pair : 2 * pair)];
      float& b = values[head + (neox ? pair + half : 2 * pair + 1)];
      const float x = a;
      const float y = b;
      a = x * cos_[pair] - y * sin_[pair];
      b = x * sin_[pair] + y * cos_[pair];
    }
  }
}

}  // namespace minfer
