#include "ops/input.h"

namespace minfer {

std::string_view to_string(InputRole role) {
  switch (role) {
    case InputRole::kTokens:
      return "tokens";
    case InputRole::kPositions:
      return "positions";
    case InputRole::kCells:
      return "cells";
    case InputRole::kSlots:
      return "slots";
    case InputRole::kPageTable:
      return "page_table";
    case InputRole::kLogitRows:
      return "logit_rows";
    case InputRole::kOther:
      return "other";
  }
  return "?";
}

TensorDesc infer(const Input& op, const Operands& operands) {
  check_operand_count(Input::kName, operands, 0, 0);
  return op.desc;
}

}  // namespace minfer
