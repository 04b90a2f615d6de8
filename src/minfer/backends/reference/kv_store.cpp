#include "backends/reference/call.h"

namespace minfer::reference {

template <>
void run(const KvStore& op, const Call& call) {
  const auto k = call.floats(0);
  const auto v = call.floats(1);
  const auto cells = call.ints(2).all();
  const KvRows keys = call.keys(op.kv);
  const KvRows values = call.values(op.kv);
  for (std::int64_t token = 0; token < k.count(); ++token) {
    const std::int64_t cell = call.checked_index("cell", cells[token], keys.n_cells());
    keys.write(cell, k[token]);
    values.write(cell, v[token]);
  }
}

}  // namespace minfer::reference
