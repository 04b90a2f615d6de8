// What passes ask about an op without knowing the list of ops.
#pragma once

#include <optional>

#include "backends/backend.h"

namespace minfer {

// Inputs are written before a run and aliases are memory of another node: neither is planned nor executed.
bool is_executed(const Op& op);

// How the layer that the op reads or writes lies in the KV cache; null for ops that do not touch it.
const KvGeometry* kv_geometry(const Op& op);
// Whether the op writes the layer's cells, so that reads of them come after it.
bool stores_kv(const Op& op);

// The type of the op's result where the op can quantize it in its epilogue (a member `output`), else null.
const DType* epilogue_type(const Op& op);
// The same op with its float32 result in `type` instead; nothing where it has no such epilogue or already
// uses it.
std::optional<Op> with_epilogue_type(Op op, DType type);

// Whether the device runs this op: true for ops that no fusion makes, else as its supports_fused says.
bool supports_fused_op(const Backend& device, const Op& op);

}  // namespace minfer
