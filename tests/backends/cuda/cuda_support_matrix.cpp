#include "cuda_support_matrix.h"

#include "backends/cuda/node_planner.h"
#include "backends/cuda/weight_store.h"
#include "base/check.h"
#include "ops/support_matrix.h"

namespace minfer::test {
namespace {

constexpr std::string_view kHeading = R"(# Support matrix of the CUDA backend

Which ops the CUDA backend runs, on which types: the answers of its `plan` to the op cases in `tests/ops`, for a GPU of
compute capability 9.0. A test fails when this page is out of date. To write it anew:

    ninja -C build/cuda-sm90a cuda_support_matrix
    build/cuda-sm90a/tests/backends/cuda/cuda_support_matrix > docs/support-matrix-cuda.md

[support-matrix.md](support-matrix.md) explains the tables and has the other backends.
)";

// Plans like a GPU, and does nothing else.
class CudaPlanner final : public Backend {
 public:
  CudaPlanner() : weights_(limits_) {}

  std::string_view name() const override { return "cuda"; }
  std::string description() const override { return "plans only"; }
  MemoryInfo memory() const override { return {}; }
  Plan plan(const NodeSpec& spec) const override { return cuda::plan_node(spec, weights_, limits_, {}); }
  bool supports_fused(FusedKind) const override { return true; }
  bool reads_packed_kv(DType) const override { return true; }
  void register_weight(ModelId model, std::string_view name, const TensorView& view,
                       WeightUses uses) override {
    weights_.add(model, name, view, uses);
  }
  bool has_weight(ModelId model, std::string_view name) const override {
    return weights_.find(model, name) != nullptr;
  }
  void release_model(ModelId model) override { weights_.release_model(model); }
  BufferId allocate(std::size_t) override { return refuse(); }
  void release(BufferId) override { refuse(); }
  void write(BufferId, std::size_t, std::span<const std::byte>) override { refuse(); }
  void read(BufferId, std::size_t, std::span<std::byte>) override { refuse(); }
  std::byte* host_view(BufferId) override { return nullptr; }
  bool begin(const Split&) override { return refuse() != kNoBuffer; }
  void execute(const PlannedNode&, const NodeBuffers&) override { refuse(); }
  void end(const Split&) override { refuse(); }
  void abort(const Split&) noexcept override {}
  void synchronize() override {}

 private:
  static BufferId refuse() { MINFER_CHECK(false, "there is no device"); }

  // An H200's.
  cuda::DeviceLimits limits_{.ordinal = 0,
                             .compute_capability = 90,
                             .n_sms = 132,
                             .shared_per_block = 227 << 10,
                             .shared_per_sm = 228 << 10,
                             .l2_bytes = std::size_t{60} << 20,
                             .memory_bytes = std::uint64_t{140} << 30};
  cuda::WeightStore weights_;
};

}  // namespace

std::string cuda_support_matrix() {
  CudaPlanner planner;
  Backend* const backends[] = {&planner};
  return support_page(kHeading, backends);
}

}  // namespace minfer::test
