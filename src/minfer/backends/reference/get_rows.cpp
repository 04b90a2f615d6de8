#include "backends/reference/call.h"

namespace minfer::reference {

template <>
void run(const GetRows&, const Call& call) {
  const bool from_weight = call.n_weights() == 1;
  const auto ids = call.ints(static_cast<int>(call.n_inputs() - 1)).all();
  const std::int64_t n_rows = from_weight ? call.weight_shape(0).rows() : call.input_shape(0).rows();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::int64_t row = call.checked_id(from_weight ? "token id" : "row", ids[i], n_rows);
    call.store_row(static_cast<std::int64_t>(i),
                   from_weight ? call.weight_row(0, row) : call.activation_row(0, row));
  }
}

}  // namespace minfer::reference
