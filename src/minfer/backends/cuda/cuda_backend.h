// An NVIDIA GPU as a device. Everything of a model is resident on it: weights, KV cache, activations; a run is one
// split without a copy in the middle, recorded as a CUDA graph and replayed (docs/cuda.md).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/device/buffer_pool.h"
#include "backends/cuda/device/capture.h"
#include "backends/cuda/device/device.h"
#include "backends/cuda/device/event_pair.h"
#include "backends/cuda/device/host_copies.h"
#include "backends/cuda/kernel_table.h"
#include "backends/cuda/node_planner.h"
#include "backends/cuda/weight_store.h"

namespace minfer {

struct Levers;

struct CudaOptions {
  int device = -1;  // CUDA's ordinal; -1: the one of the highest compute capability
  cuda::KernelOptions kernels;
  bool graphs = true;             // false: MINFER_NO_CUDA_GRAPH
  bool prefill_capture = true;    // false: MINFER_NO_PREFILL_CAPTURE; runs of several tokens are not recorded
  bool pinned_readback = true;    // false: MINFER_NO_PINNED_READBACK
  bool quantize_epilogue = true;  // false: MINFER_NO_DECODE_A_FUSE
};
// What the developer levers ask for.
CudaOptions cuda_options(const Levers& levers);

class CudaBackend final : public Backend {
 public:
  // Null where this machine has no usable CUDA device.
  static std::unique_ptr<CudaBackend> create_if_present(const CudaOptions& options);
  // Throws InvalidRequestError for a device that does not exist, DeviceError where it cannot be used.
  explicit CudaBackend(const CudaOptions& options = {});
  ~CudaBackend() override;

  std::string_view name() const override { return "cuda"; }
  std::string description() const override { return device_.description(); }
  MemoryInfo memory() const override { return device_.memory(); }
  DeviceClocks clocks() const override { return device_.clocks(); }

  Plan plan(const NodeSpec& spec) const override;
  bool supports_fused(FusedKind kind) const override;
  bool reads_packed_kv(DType cell) const override;
  bool is_gpu() const override { return true; }

  void register_weight(ModelId model, std::string_view name, const TensorView& view,
                       WeightUses uses) override;
  bool has_weight(ModelId model, std::string_view name) const override {
    return weights_.find(model, name) != nullptr;
  }
  void release_model(ModelId model) override;
  void prepare(const PlannedNode& node) override;

  BufferId allocate(std::size_t bytes) override;
  void release(BufferId buffer) override;
  void write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) override;
  void read(BufferId buffer, std::size_t offset, std::span<std::byte> bytes) override;
  std::byte* host_view(BufferId) override { return nullptr; }
  std::optional<double> node_seconds() override;
  double measure_copy_rate() override;

  bool begin(const Split& split) override;
  void execute(const PlannedNode& node, const NodeBuffers& buffers) override;
  void end(const Split& split) override;
  void abort(const Split& split) noexcept override;
  void synchronize() override;

  const cuda::CaptureCache& captures() const { return captures_; }
  void fail_next_capture(cuda::CaptureCache::Failure failure) { captures_.fail_next(failure); }
  std::size_t weight_bytes() const { return weights_.bytes_on_device(); }
  std::size_t buffer_bytes() const { return buffers_.bytes_held(); }

 private:
  struct Recorded {
    const PlannedNode* node;
    NodeBuffers buffers;
  };
  void launch(const PlannedNode& node, const NodeBuffers& buffers);
  void launch_timed(const PlannedNode& node, const NodeBuffers& buffers);
  void throw_fault();
  void wait_quietly() noexcept;

  const CudaOptions options_;
  cuda::Device device_;
  mutable cuda::WeightStore weights_;
  cuda::BufferPool buffers_;
  cuda::UploadRing ring_;
  cuda::Readback readback_;
  cuda::CaptureCache captures_;
  cuda::EventPair node_time_;
  bool observed_ = false;                               // the open split is: nodes are timed
  std::vector<Recorded> recorded_;                      // nodes of the open recording, in case it fails
  mutable std::map<std::int32_t, std::string> labels_;  // of nodes by number, for faults
};

}  // namespace minfer
