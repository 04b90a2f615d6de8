#pragma once

#include "ops/operands.h"

namespace minfer {

enum class InputRole {
  kTokens,     // I32 (n_tokens): token ids
  kPositions,  // I32 (n_tokens): position of each token in its sequence
  kCells,      // I32 (n_tokens): KV cell that each token is stored to: page * kKvPageSize + position %
               // kKvPageSize
  kSlots,      // I32 (n_tokens): row of the page table that each token's sequence has
  kPageTable,  // I32 (n_slots, max_pages): physical page of each 64 positions of a sequence, -1 where none
  kLogitRows,  // I32 (n_logit_rows): tokens whose logits are wanted
  kOther,      // tests
};
std::string_view to_string(InputRole role);

// An input of the graph, filled by the runtime before each run. Token ids, positions, cells and page tables
// are I32 data, never structure, so that one graph serves every step.
struct Input {
  static constexpr std::string_view kName = "Input";
  InputRole role = InputRole::kTokens;
  TensorDesc desc;
  bool operator==(const Input&) const = default;
};

TensorDesc infer(const Input& op, const Operands& operands);

}  // namespace minfer
