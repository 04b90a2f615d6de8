#include "graph/node_kind.h"

#include <type_traits>

namespace minfer {
namespace {

std::optional<FusedKind> fused_kind(const Op& op) {
  if (std::holds_alternative<SwiGLU>(op)) return FusedKind::kSwiGLU;
  if (std::holds_alternative<FusedQKV>(op)) return FusedKind::kFusedQKV;
  if (std::holds_alternative<QkvBiasRopeStore>(op)) return FusedKind::kQkvBiasRopeStore;
  if (std::holds_alternative<FusedFFN>(op)) return FusedKind::kFusedFFN;
  if (std::holds_alternative<MatMulAdd>(op)) return FusedKind::kMatMulAdd;
  return std::nullopt;
}

// The member `output` of ops that have a choice of result type. Quantize has one too, but no other job.
template <class T>
auto* epilogue_member(T& op) {
  using Result = std::conditional_t<std::is_const_v<T>, const DType, DType>;
  if constexpr (requires { op.output; } && !std::is_same_v<std::remove_const_t<T>, Quantize>)
    return static_cast<Result*>(&op.output);
  else
    return static_cast<Result*>(nullptr);
}

}  // namespace

bool is_executed(const Op& op) { return !std::holds_alternative<Input>(op) && !is_alias(op); }

const KvGeometry* kv_geometry(const Op& op) {
  return std::visit(
      [](const auto& o) -> const KvGeometry* {
        if constexpr (requires { o.kv; }) return &o.kv;
        return nullptr;
      },
      op);
}

bool stores_kv(const Op& op) {
  return std::holds_alternative<KvStore>(op) || std::holds_alternative<QkvBiasRopeStore>(op);
}

const DType* epilogue_type(const Op& op) {
  return std::visit([](const auto& o) { return epilogue_member(o); }, op);
}

std::optional<Op> with_epilogue_type(Op op, DType type) {
  const bool changed = std::visit(
      [type](auto& o) {
        DType* output = epilogue_member(o);
        if (!output || *output != DType::kF32) return false;
        *output = type;
        return true;
      },
      op);
  return changed ? std::optional(std::move(op)) : std::nullopt;
}

bool supports_fused_op(const Backend& device, const Op& op) {
  const std::optional<FusedKind> kind = fused_kind(op);
  if (kind && !device.supports_fused(*kind)) return false;
  const DType* output = epilogue_type(op);
  return !output || *output == DType::kF32 || device.supports_fused(FusedKind::kQuantizeEpilogue);
}

}  // namespace minfer
