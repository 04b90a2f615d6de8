#include <algorithm>

#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {

template <>
void run(const RoPE& op, const Call& call) {
  const auto x = call.floats(0);
  const auto table = call.floats(1);
  const auto out = call.output();
  const auto head_dim = static_cast<std::size_t>(op.head_dim);
  for (std::int64_t token = 0; token < x.count(); ++token) {
    std::copy(x[token].begin(), x[token].end(), out[token].begin());
    for (std::size_t first = 0; first < out[token].size(); first += head_dim)
      rotate(op.style, table[token], out[token].subspan(first, head_dim));
  }
}

}  // namespace minfer::reference
