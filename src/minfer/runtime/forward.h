// Runs micro-batches through a model's graphs: owns the KV cache and the compiled graphs of an engine.
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "graph/reuse.h"
#include "minfer/engine.h"
#include "runtime/devices.h"
#include "runtime/kv_cache.h"
#include "runtime/micro_batch.h"
#include "runtime/op_timing.h"
#include "runtime/trace.h"

namespace minfer {

class Forward {
 public:
  // The model and the devices must outlive this.
  // Throws UnsupportedError where options.gpu is set and that GPU cannot run the model.
  Forward(const Model& model, const Devices& devices, const EngineOptions& options);

  KvCache& kv() { return *kv_; }
  Backend& kv_device() const { return *kv_device_; }  // that runs attention
  bool on_gpu() const { return gpu_; }
  const KvCache& kv() const { return *kv_; }
  // For context shift: how keys turn when their positions change.
  const KeyRotation& key_rotation() const { return rotation_; }

  // Computes the micro-batch; logits receives n_logit_rows * n_vocab values, all finite. Throws CancelledError when
  // stopped, and Error naming layer and op when a value is not finite.
  void run(const MicroBatch& batch, std::span<float> logits, const std::stop_token& stop);

  std::int64_t graphs_built() const { return graphs_.builds(); }
  std::int64_t graphs_reused() const { return graphs_.hits(); }
  std::string take_op_timing() { return timing_ ? timing_->take_report() : ""; }
  RunPlan plan(int n_tokens);    // see Engine::plan
  std::string describe() const;  // the graph of the last run, or ""

 private:
  // Numbers that shape a graph: those of the batch, on a GPU rounded up.
  struct Shape {
    std::size_t n_tokens = 0;
    std::size_t n_logit_rows = 0;
    std::size_t n_slots = 0;
  };
  Shape shape_of(const MicroBatch& batch) const;
  CompiledGraph& graph_for(const Shape& shape);
  DeviceId choose_device(const EngineOptions& options);
  void check_participation(const CompiledGraph& graph, const EngineOptions& options) const;
  void make_kv_cache(const EngineOptions& options);
  void write_inputs(CompiledGraph& graph, const MicroBatch& batch, const Shape& shape) const;
  [[noreturn]] void report_non_finite(CompiledGraph& graph, const MicroBatch& batch) const;

  const Model& model_;
  const Devices& devices_;
  DType kv_cell_ = DType::kF32;
  Backend* kv_device_ = nullptr;
  bool gpu_ = false;  // attention runs on a GPU
  const std::int64_t max_pages_;
  GraphCache graphs_;
  std::unique_ptr<KvCache> kv_;
  KeyRotation rotation_;
  std::unique_ptr<OpTiming> timing_;  // where MINFER_OP_TIMING is set
  TraceObserver trace_;
  ObserverList observers_;  // those that levers ask for
  CompiledGraph* last_ = nullptr;
};

}  // namespace minfer
