#include <algorithm>
#include <cmath>

#include "backends/reference/call.h"

namespace minfer::reference {

template <>
void run(const Softmax&, const Call& call) {
  const auto x = call.floats(0);
  const auto out = call.output();
  for (std::int64_t row = 0; row < x.count(); ++row) {
    const double largest = *std::max_element(x[row].begin(), x[row].end());
    double sum = 0;
    for (const float value : x[row]) sum += std::exp(value - largest);
    for (std::size_t i = 0; i < x[row].size(); ++i)
      out[row][i] = static_cast<float>(std::exp(x[row][i] - largest) / sum);
  }
}

}  // namespace minfer::reference
