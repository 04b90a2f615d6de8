#include "backends/reference/call.h"

namespace minfer::reference {

template <>
void run(const Permute& op, const Call& call) {
  const auto& from = call.input_shape(0).dim;
  const std::array<std::int64_t, kMaxRank> strides{1, from[0], from[0] * from[1],
                                                   from[0] * from[1] * from[2]};
  const auto x = call.floats(0).all();
  const auto out = call.output().all();
  std::array<std::int64_t, kMaxRank> index{};  // of the output element
  for (float& element : out) {
    std::int64_t source = 0;
    for (int i = 0; i < kMaxRank; ++i) source += index[i] * strides[op.order[i]];
    element = x[source];
    for (int i = 0; i < kMaxRank && ++index[i] == from[op.order[i]]; ++i) index[i] = 0;
  }
}

}  // namespace minfer::reference
