#include "ops/input.h"

#include "support/op_case.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<Input>() {
  return {{.variant = "i32", .op = Input{.role = InputRole::kTokens, .desc = {DType::kI32, Shape{5}}}},
          {.variant = "f32", .op = Input{.role = InputRole::kOther, .desc = {DType::kF32, Shape{5, 3}}}}};
}

}  // namespace minfer::test
