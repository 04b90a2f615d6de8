#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {

template <>
void run(const MatMul&, const Call& call) {
  const auto out = call.output();
  std::vector<std::vector<float>> x;
  for (std::int64_t token = 0; token < out.count(); ++token) x.push_back(call.activation_row(0, token));
  for (std::int64_t row = 0; row < out.cols(); ++row) {
    const auto weight = call.weight_row(0, row);
    for (std::int64_t token = 0; token < out.count(); ++token) out[token][row] = dot(x[token], weight);
  }
}

}  // namespace minfer::reference
