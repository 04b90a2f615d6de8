#include "backends/reference/call.h"
#include "ops/rope_angles.h"

namespace minfer::reference {

template <>
void run(const RopeTable& op, const Call& call) {
  const auto divisors = call.n_weights() == 1 ? call.weight_row(0, 0) : std::vector<float>{};
  const auto frequencies = rope_frequencies(op, divisors);
  const auto positions = call.ints(0).all();
  const auto out = call.output();
  for (std::int64_t token = 0; token < out.count(); ++token)
    fill_rope_row(positions[token], frequencies, op.attention_factor, out[token]);
}

}  // namespace minfer::reference
