// A device that plans every op, gives out memory and computes nothing: graphs can be compiled, scheduled and
// looked at without weights in memory and without arithmetic. Outputs keep whatever their memory held.
#pragma once

#include <set>
#include <string>

#include "backends/backend.h"
#include "backends/host_memory.h"

namespace minfer {

struct NullOptions {
  std::string name = "null";
  // What products with quantized weights read: kF32, or an activation row type that Quantize nodes then make.
  DType activation = DType::kF32;
  bool fused = true;             // whether it supports the fused ops
  bool host_addressable = true;  // false: host_view is null, as on a device with its own memory
};

class NullBackend : public Backend {
 public:
  explicit NullBackend(NullOptions options = {});

  std::string_view name() const override { return options_.name; }
  std::string description() const override { return "computes nothing"; }
  MemoryInfo memory() const override { return host_memory_info(); }

  Plan plan(const NodeSpec& spec) const override;
  bool supports_fused(FusedKind) const override { return options_.fused; }
  bool reads_packed_kv(DType) const override { return true; }

  void register_weight(ModelId model, std::string_view name, const TensorView& view,
                       WeightUses uses) override;
  bool has_weight(ModelId model, std::string_view name) const override;
  void release_model(ModelId model) override;

  BufferId allocate(std::size_t bytes) override { return buffers_.allocate(bytes); }
  void release(BufferId buffer) override { buffers_.release(buffer); }
  void write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) override;
  void read(BufferId buffer, std::size_t offset, std::span<std::byte> bytes) override;
  std::byte* host_view(BufferId buffer) override;

  bool begin(const Split&) override { return false; }
  void execute(const PlannedNode&, const NodeBuffers&) override {}
  void end(const Split&) override {}
  void abort(const Split&) noexcept override {}
  void synchronize() override {}

 private:
  NullOptions options_;
  std::set<std::pair<ModelId, std::string>> weights_;
  HostBuffers buffers_;
};

}  // namespace minfer
