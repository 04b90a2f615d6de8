#include "ops/view.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const View& op, const Operands& operands) {
  check_operand_count(View::kName, operands, 1, 0);
  const TensorDesc& x = operands.inputs[0];
  MINFER_CHECK(op.first_row >= 0 && op.n_rows > 0 && op.first_row + op.n_rows <= x.shape.rows(),
               "View: rows {} + {} of {}", op.first_row, op.n_rows, x.shape.rows());
  return {x.dtype, Shape{x.shape.cols(), op.n_rows}};
}

}  // namespace minfer
