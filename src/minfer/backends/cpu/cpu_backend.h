// The CPU as a device: weights where the model file is mapped, buffers in host memory, a thread pool of its
// own. It runs every op, and its results do not depend on threads, instruction set, batch or fusion
// (ARCHITECTURE.md).
#pragma once

#include <optional>
#include <string>

#include "backends/backend.h"
#include "backends/cpu/simd/isa.h"
#include "backends/host_memory.h"
#include "backends/weight_table.h"
#include "base/thread_pool.h"

namespace minfer {

struct Levers;
struct PlanContext;

struct CpuOptions {
  int n_threads = 0;          // 0: as base/cpu_count.h counts
  std::optional<CpuIsa> isa;  // none: the best that the machine has
  std::string kernel;  // candidate to take wherever it can run (MINFER_KERNEL); empty: the first that can
  bool fused_q8_kv = true;  // false: decode packed KV cells before use (MINFER_NO_FUSED_Q8_KV)
};
// What the developer levers ask for.
CpuOptions cpu_options(const Levers& levers);

// Whether an op has a kernel candidate of that name, on whatever instruction set.
bool has_cpu_kernel(std::string_view name);

class CpuBackend final : public Backend {
 public:
  // Throws InvalidRequestError for a thread count the pool refuses and for an instruction set that the
  // machine does not have.
  explicit CpuBackend(const CpuOptions& options = {});
  ~CpuBackend() override;

  int n_threads() const { return pool_.size(); }
  CpuIsa isa() const { return isa_; }

  std::string_view name() const override { return "cpu"; }
  std::string description() const override;
  MemoryInfo memory() const override { return host_memory_info(); }

  Plan plan(const NodeSpec& spec) const override;
  bool supports_fused(FusedKind) const override { return true; }
  bool reads_packed_kv(DType cell) const override { return cell == DType::kQ8_0; }

  void register_weight(ModelId model, std::string_view name, const TensorView& view,
                       WeightUses uses) override;
  bool has_weight(ModelId model, std::string_view name) const override { return weights_.has(model, name); }
  void release_model(ModelId model) override { weights_.release_model(model); }

  BufferId allocate(std::size_t bytes) override { return buffers_.allocate(bytes); }
  void release(BufferId buffer) override { buffers_.release(buffer); }
  void write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) override;
  void read(BufferId buffer, std::size_t offset, std::span<std::byte> bytes) override;
  std::byte* host_view(BufferId buffer) override { return buffers_.data(buffer); }

  bool begin(const Split&) override { return false; }
  void execute(const PlannedNode& planned, const NodeBuffers& buffers) override;
  void end(const Split&) override {}
  void abort(const Split&) noexcept override {}
  void synchronize() override {}

 private:
  Plan plan_candidates(const PlanContext& context) const;

  const CpuOptions options_;
  const CpuIsa isa_;
  ThreadPool pool_;
  HostBuffers buffers_;
  WeightTable weights_;
};

}  // namespace minfer
