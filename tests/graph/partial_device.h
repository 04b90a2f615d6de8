// Another backend's device, of which only some ops are offered: two of these in one graph make it split.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "backends/backend.h"

namespace minfer::test {

class PartialDevice final : public Backend {
 public:
  using Claim = std::function<bool(const Op&)>;
  PartialDevice(std::unique_ptr<Backend> device, Claim claims)
      : device_(std::move(device)), claims_(std::move(claims)) {}

  std::string_view name() const override { return device_->name(); }
  std::string description() const override { return device_->description(); }
  MemoryInfo memory() const override { return device_->memory(); }
  Plan plan(const NodeSpec& spec) const override {
    if (claims_(*spec.op)) return device_->plan(spec);
    Plan refused;
    refused.reason = "not claimed";
    return refused;
  }
  bool supports_fused(FusedKind kind) const override { return device_->supports_fused(kind); }
  bool reads_packed_kv(DType cell) const override { return device_->reads_packed_kv(cell); }
  void register_weight(ModelId model, std::string_view name, const TensorView& view,
                       WeightUses uses) override {
    device_->register_weight(model, name, view, uses);
  }
  bool has_weight(ModelId model, std::string_view name) const override {
    return device_->has_weight(model, name);
  }
  void release_model(ModelId model) override { device_->release_model(model); }
  void prepare(const PlannedNode& node) override { device_->prepare(node); }
  BufferId allocate(std::size_t bytes) override { return device_->allocate(bytes); }
  void release(BufferId buffer) override { device_->release(buffer); }
  void write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) override {
    device_->write(buffer, offset, bytes);
  }
  void read(BufferId buffer, std::size_t offset, std::span<std::byte> bytes) override {
    device_->read(buffer, offset, bytes);
  }
  std::byte* host_view(BufferId buffer) override { return device_->host_view(buffer); }
  bool begin(const Split& split) override { return device_->begin(split); }
  void execute(const PlannedNode& node, const NodeBuffers& buffers) override {
    device_->execute(node, buffers);
  }
  void end(const Split& split) override { device_->end(split); }
  void abort(const Split& split) noexcept override { device_->abort(split); }
  void synchronize() override { device_->synchronize(); }

 private:
  std::unique_ptr<Backend> device_;
  Claim claims_;
};

}  // namespace minfer::test
