#include "backends/reference/call.h"

namespace minfer::reference {

template <>
void run(const Add&, const Call& call) {
  const auto x = call.floats(0);
  const auto out = call.output();
  const bool with_weight = call.n_weights() == 1;
  const auto weight = with_weight ? call.weight_row(0, 0) : std::vector<float>{};
  for (std::int64_t row = 0; row < x.count(); ++row) {
    const auto y = with_weight ? std::span<const float>(weight) : call.floats(1)[row];
    for (std::size_t i = 0; i < y.size(); ++i) out[row][i] = x[row][i] + y[i];
  }
}

}  // namespace minfer::reference
