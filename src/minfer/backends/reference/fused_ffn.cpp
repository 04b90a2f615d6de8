#include "backends/reference/math.h"
#include "backends/reference/product.h"

namespace minfer::reference {

template <>
void run(const FusedFFN&, const Call& call) {
  auto gate = product(call, 0);
  const auto up = product(call, 1);
  for (std::size_t token = 0; token < gate.size(); ++token) {
    std::vector<float>& row = gate[token];
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(silu(row[i]) * up[token][i]);
    call.store_row(static_cast<std::int64_t>(token), row);
  }
}

}  // namespace minfer::reference
