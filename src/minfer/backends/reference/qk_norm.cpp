#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {

template <>
void run(const QkNorm& op, const Call& call) {
  const auto x = call.floats(0);
  const auto out = call.output();
  const auto weight = call.weight_row(0, 0);
  const auto head_dim = static_cast<std::size_t>(op.head_dim);
  for (std::int64_t token = 0; token < x.count(); ++token)
    for (std::size_t first = 0; first < x[token].size(); first += head_dim)
      rms_norm(x[token].subspan(first, head_dim), weight, op.eps, out[token].subspan(first, head_dim));
}

}  // namespace minfer::reference
