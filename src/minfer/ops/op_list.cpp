#include "ops/op_list.h"

namespace minfer {

std::string_view op_name(const Op& op) {
  return std::visit([](const auto& o) { return o.kName; }, op);
}

TensorDesc infer(const Op& op, const Operands& operands) {
  return std::visit([&](const auto& o) { return infer(o, operands); }, op);
}

int in_place_input(const Op& op) {
  return std::visit(
      [](const auto& o) {
        if constexpr (requires { o.kInPlaceInput; }) return o.kInPlaceInput;
        return -1;
      },
      op);
}

bool is_alias(const Op& op) {
  return std::visit(
      [](const auto& o) {
        return requires { o.kAliases; };
      },
      op);
}

}  // namespace minfer
