// The oracle that every other backend is compared with: scalar code, one file an op, written to be read. Results are
// float32, computed from decoded weights with sums in double. Runs every op of op_list.h on any type that has a codec.
#pragma once

#include "backends/backend.h"
#include "backends/host_memory.h"
#include "backends/weight_table.h"

namespace minfer {

struct ReferenceOptions {
  // Whether fusion rules may fire here. Off, so that a graph on this backend is made of the plain ops; the fused ones
  // are composed of those, and tests switch this on to compare fused kernels directly.
  bool fused = false;
};

class ReferenceBackend final : public Backend {
 public:
  explicit ReferenceBackend(ReferenceOptions options = {}) : options_(options) {}

  std::string_view name() const override { return "reference"; }
  std::string description() const override { return "scalar reference, double accumulation"; }
  MemoryInfo memory() const override { return host_memory_info(); }

  Plan plan(const NodeSpec& spec) const override;
  bool supports_fused(FusedKind) const override { return options_.fused; }
  bool reads_packed_kv(DType cell) const override;

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
  void execute(const PlannedNode& node, const NodeBuffers& buffers) override;
  void end(const Split&) override {}
  void abort(const Split&) noexcept override {}
  void synchronize() override {}

 private:
  ReferenceOptions options_;
  HostBuffers buffers_;
  WeightTable weights_;
};

}  // namespace minfer
