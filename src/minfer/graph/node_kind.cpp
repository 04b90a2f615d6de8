#include "graph/node_kind.h"

#include <optional>

namespace minfer {
namespace {

std::optional<FusedKind> fused_kind(const Op& op) {
  if (std::holds_alternative<SwiGLU>(op)) return FusedKind::kSwiGLU;
  if (std::holds_alternative<FusedQKV>(op)) return FusedKind::kFusedQKV;
  if (std::holds_alternative<QkvBiasRopeStore>(op)) return FusedKind::kQkvBiasRopeStore;
  if (std::holds_alternative<FusedFFN>(op)) return FusedKind::kFusedFFN;
  return std::nullopt;
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
  return std::visit(
      [](const auto& o) -> const DType* {
        using T = std::decay_t<decltype(o)>;
        if constexpr (requires { o.output; } && !std::is_same_v<T, Quantize>) return &o.output;
        return nullptr;
      },
      op);
}

bool supports_fused_op(const Backend& device, const Op& op) {
  const std::optional<FusedKind> kind = fused_kind(op);
  if (kind && !device.supports_fused(*kind)) return false;
  const DType* output = epilogue_type(op);
  return !output || *output == DType::kF32 || device.supports_fused(FusedKind::kQuantizeEpilogue);
}

}  // namespace minfer
