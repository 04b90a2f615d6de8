#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {

template <>
void run(const Silu&, const Call& call) {
  const auto x = call.floats(0).all();
  const auto out = call.output().all();
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = static_cast<float>(silu(x[i]));
}

}  // namespace minfer::reference
