#include "runtime/forward.h"

#include <fmt/core.h>

#include "base/levers.h"
#include "base/log.h"
#include "graph/compile.h"
#include "graph/compiled_graph.h"
#include "graph/dump.h"
#include "graph/scheduler.h"
#include "minfer/error.h"
#include "models/architecture.h"
#include "ops/rope_angles.h"
#include "runtime/finite.h"

namespace minfer {
namespace {

std::int64_t pages_of(int n_positions) { return (n_positions + kKvPageSize - 1) / kKvPageSize; }

CompileOptions compile_options(const EngineOptions& options) {
  CompileOptions compile;
  compile.fuse = options.fuse;
  compile.dump_path = levers().graph_dump;
  return compile;
}

KeyRotation rotation_of(const Architecture& architecture) {
  const RopeTable& rope = architecture.hparams().rope;
  std::span<const float> divisors;
  if (architecture.rope_divisors())
    divisors = {architecture.rope_divisors(), static_cast<std::size_t>(rope.n_dims / 2)};
  return {architecture.hparams().rope_style, rope.n_dims, rope_frequencies(rope, divisors)};
}

}  // namespace

Forward::Forward(const Model& model, const Devices& devices, const EngineOptions& options, DType kv_cell)
    : model_(model),
      devices_(devices),
      kv_cell_(kv_cell),
      max_pages_(pages_of(options.n_ctx)),
      graphs_(devices.list(), compile_options(options)),
      rotation_(rotation_of(model.architecture())) {
  make_kv_cache(options);
  if (levers().trace) observers_.add(trace_);
  if (levers().op_timing) {
    timing_ = std::make_unique<OpTiming>();
    observers_.add(*timing_);  // last: its clock starts right before the node
  }
}

// The cells live on the device that runs attention, which a decode step's graph tells.
void Forward::make_kv_cache(const EngineOptions& options) {
  const Hyperparameters& hparams = model_.architecture().hparams();
  const KvGeometry geometry{0, hparams.n_head_kv, hparams.head_dim, kv_cell_};
  if (kv_cell_ == DType::kQ8_0 && hparams.head_dim % 32 != 0)
    throw UnsupportedError(
        fmt::format("KV cells of type q8_0 need heads of a multiple of 32 values, not {}", hparams.head_dim));
  const DeviceId device = graph_for(1, 1, 1).kv_device(0);
  kv_ = std::make_unique<KvCache>(*devices_.list()[static_cast<std::size_t>(device)], hparams.n_layer,
                                  geometry, static_cast<std::int32_t>(max_pages_ * options.n_sequences));
}

CompiledGraph& Forward::graph_for(std::size_t n_tokens, std::size_t n_logit_rows, std::size_t n_slots) {
  GraphParams params;
  params.model = model_.id();
  params.n_tokens = static_cast<std::int64_t>(n_tokens);
  params.n_logit_rows = static_cast<std::int64_t>(n_logit_rows);
  params.n_slots = static_cast<std::int64_t>(n_slots);
  params.max_pages = max_pages_;
  params.kv_cell = kv_cell_;
  params.fuse_qkv = !levers().no_fuse_qkv;
  params.fuse_ffn = !levers().no_fuse_ffn;
  const std::int64_t n_built = graphs_.builds();
  CompiledGraph& graph = graphs_.get(params, [&] {
    const BatchShape shape{params.n_tokens, params.n_logit_rows, params.n_slots, params.max_pages,
                           params.kv_cell};
    return model_.architecture().build(model_.id(), shape);
  });
  if (levers().graph_trace && graphs_.builds() != n_built)
    log_info("graph of {} tokens, {} with logits:\n{}", n_tokens, n_logit_rows, dump_text(graph));
  return graph;
}

void Forward::write_inputs(CompiledGraph& graph, const MicroBatch& batch) const {
  write_input(graph, InputRole::kTokens, batch.tokens);
  write_input(graph, InputRole::kPositions, batch.positions);
  write_input(graph, InputRole::kCells, batch.cells);
  write_input(graph, InputRole::kSlots, batch.slots);
  write_input(graph, InputRole::kPageTable, batch.page_table(static_cast<std::size_t>(max_pages_)));
  if (batch.n_logit_rows() > 0) write_input(graph, InputRole::kLogitRows, batch.logit_rows);
}

void Forward::run(const MicroBatch& batch, std::span<float> logits, std::stop_token stop) {
  CompiledGraph& graph = graph_for(batch.n_tokens(), batch.n_logit_rows(), batch.n_slots());
  last_ = &graph;
  write_inputs(graph, batch);
  minfer::run(graph, {kv_.get(), stop, observers_.empty() ? nullptr : &observers_});
  if (batch.n_logit_rows() == 0) return;
  read_output(graph, 0, logits);
  if (!all_finite(logits)) report_non_finite(graph, batch);
}

// Runs the same batch again, looking at every result on the way.
void Forward::report_non_finite(CompiledGraph& graph, const MicroBatch& batch) const {
  FiniteObserver observer;
  write_inputs(graph, batch);
  minfer::run(graph, {kv_.get(), {}, &observer});
  throw Error(fmt::format("{}: {}", model_.info().path, observer.report()));
}

std::string Forward::describe() const { return last_ ? dump_text(*last_) : ""; }

}  // namespace minfer
