#include "backends/reference/product.h"

namespace minfer::reference {

template <>
void run(const FusedQKV&, const Call& call) {
  const auto q = product(call, 0);
  const auto k = product(call, 1);
  const auto v = product(call, 2);
  for (std::size_t token = 0; token < q.size(); ++token) {
    std::vector<float> row = q[token];
    row.insert(row.end(), k[token].begin(), k[token].end());
    row.insert(row.end(), v[token].begin(), v[token].end());
    call.store_row(static_cast<std::int64_t>(token), row);
  }
}

}  // namespace minfer::reference
