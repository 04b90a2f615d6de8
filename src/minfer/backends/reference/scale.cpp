#include "backends/reference/call.h"

namespace minfer::reference {

template <>
void run(const Scale& op, const Call& call) {
  const auto x = call.floats(0).all();
  const auto out = call.output().all();
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i] * op.factor;
}

}  // namespace minfer::reference
