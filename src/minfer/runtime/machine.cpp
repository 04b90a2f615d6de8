#include "minfer/machine.h"

#include <fmt/core.h>

#include "backends/registry.h"
#include "quant/traits.h"

namespace minfer {
namespace {

// A matrix of the usual size; its values do not matter to a planner.
constexpr std::int64_t kRows = 1024;
constexpr std::int64_t kColumns = 1024;
constexpr std::int64_t kPrefillTokens = 512;
constexpr ModelId kNoModel = ~ModelId{0};  // ids of loaded models count up from 1
constexpr const char* kWeight = "blk.0.ffn_up.weight";

class ProductPlanner {
 public:
  ProductPlanner(Backend& backend, DType type)
      : backend_(backend), desc_{type, Shape{kColumns, kRows}}, bytes_(tensor_bytes(desc_)) {
    backend_.register_weight(kNoModel, kWeight, {desc_, bytes_.data(), bytes_.size()},
                             static_cast<WeightUses>(WeightUse::kMatMul));
  }
  ~ProductPlanner() { backend_.release_model(kNoModel); }
  ProductPlanner(const ProductPlanner&) = delete;
  ProductPlanner& operator=(const ProductPlanner&) = delete;

  std::string kernel(std::int64_t n_tokens) const {
    Plan answer = plan(n_tokens, DType::kF32);
    if (answer.supported && answer.input_type != DType::kF32) answer = plan(n_tokens, answer.input_type);
    return answer.supported ? answer.kernel : fmt::format("({})", answer.reason);
  }

 private:
  Plan plan(std::int64_t n_tokens, DType input) const {
    const Op op = MatMul{};
    const TensorDesc inputs[] = {{input, Shape{kColumns, n_tokens}}};
    const WeightRef weights[] = {{kWeight, desc_}};
    return backend_.plan({kNoModel, &op, inputs, {DType::kF32, Shape{kRows, n_tokens}}, weights, "ffn_up"});
  }

  Backend& backend_;
  const TensorDesc desc_;
  const std::vector<std::byte> bytes_;
};

}  // namespace

std::vector<BackendStatus> backend_statuses() {
  std::vector<BackendStatus> statuses;
  for (const BackendPresence& presence : find_backends()) {
    BackendStatus status{std::string(presence.name), presence.backend != nullptr, presence.only_by_name,
                         presence.why_absent};
    if (presence.backend) {
      status.detail = presence.backend->description();
      const MemoryInfo memory = presence.backend->memory();
      status.memory_bytes = memory.total_bytes;
      status.free_bytes = memory.free_bytes;
    }
    statuses.push_back(std::move(status));
  }
  return statuses;
}

std::vector<ProductKernels> product_kernels(const std::string& backend) {
  const auto backends = make_backends({.only = backend});
  std::vector<ProductKernels> kernels;
  for (const QuantTraits* traits : all_quant_traits()) {
    const ProductPlanner planner(*backends.front(), traits->type);
    kernels.push_back(
        {std::string(dtype_name(traits->type)), planner.kernel(1), planner.kernel(kPrefillTokens)});
  }
  return kernels;
}

}  // namespace minfer
