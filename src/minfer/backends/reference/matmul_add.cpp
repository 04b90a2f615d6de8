#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {

template <>
void run(const MatMulAdd&, const Call& call) {
  const auto residual = call.floats(1);
  const auto out = call.output();
  std::vector<std::vector<float>> x;
  for (std::int64_t token = 0; token < out.count(); ++token) x.push_back(call.activation_row(0, token));
  for (std::int64_t row = 0; row < out.cols(); ++row) {
    const auto weight = call.weight_row(0, row);
    for (std::int64_t token = 0; token < out.count(); ++token)
      out[token][row] = residual[token][row] + static_cast<float>(dot(x[token], weight));
  }
}

}  // namespace minfer::reference
