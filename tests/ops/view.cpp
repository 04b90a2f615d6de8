#include "ops/view.h"

#include "support/op_case.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<View>() {
  return {{.variant = "f32", .op = View{.first_row = 1, .n_rows = 2}, .inputs = {floats({5, 3})}}};
}

}  // namespace minfer::test
