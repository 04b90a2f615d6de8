#include "ops/reshape.h"

#include "support/op_case.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<Reshape>() {
  return {{.variant = "f32", .op = Reshape{.shape = Shape{3, 5}}, .inputs = {floats({5, 3})}}};
}

}  // namespace minfer::test
