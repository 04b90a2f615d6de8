#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {

template <>
void run(const RmsNorm& op, const Call& call) {
  const auto x = call.floats(0);
  const auto weight = call.weight_row(0, 0);
  std::vector<float> normed(weight.size());
  for (std::int64_t row = 0; row < x.count(); ++row) {
    rms_norm(x[row], weight, op.eps, normed);
    call.store_row(row, normed);
  }
}

}  // namespace minfer::reference
