#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {

template <>
void run(const SwiGLU&, const Call& call) {
  const auto gate = call.floats(0);
  const auto up = call.floats(1);
  std::vector<float> out(static_cast<std::size_t>(gate.cols()));
  for (std::int64_t row = 0; row < gate.count(); ++row) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(silu(gate[row][i]) * up[row][i]);
    call.store_row(row, out);
  }
}

}  // namespace minfer::reference
