#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {

template <>
void run(const FusedFFN&, const Call& call) {
  const std::int64_t n_ff = call.weight_shape(0).rows();
  std::vector<float> out(static_cast<std::size_t>(n_ff));
  for (std::int64_t token = 0; token < call.input_shape(0).rows(); ++token) {
    const auto x = call.activation_row(0, token);
    for (std::int64_t row = 0; row < n_ff; ++row) {
      const float gate = dot(x, call.weight_row(0, row));
      const float up = dot(x, call.weight_row(1, row));
      out[row] = static_cast<float>(silu(gate) * up);
    }
    call.store_row(token, out);
  }
}

}  // namespace minfer::reference
