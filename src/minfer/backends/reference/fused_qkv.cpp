#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {

template <>
void run(const FusedQKV&, const Call& call) {
  const auto out = call.output();
  for (std::int64_t token = 0; token < out.count(); ++token) {
    const auto x = call.activation_row(0, token);
    std::size_t column = 0;
    for (int weight = 0; weight < 3; ++weight)
      for (std::int64_t row = 0; row < call.weight_shape(weight).rows(); ++row)
        out[token][column++] = dot(x, call.weight_row(weight, row));
  }
}

}  // namespace minfer::reference
