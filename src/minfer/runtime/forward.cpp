#include "runtime/forward.h"

#include <fmt/core.h>

#include <bit>

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
#include "runtime/run_plan.h"

namespace minfer {
namespace {

std::int64_t pages_of(int n_positions) { return (n_positions + kKvPageSize - 1) / kKvPageSize; }

// Sizes that graphs are built for on a GPU: few, so that their recordings are found again, and close enough that the
// padding costs little.
std::size_t bucket(std::size_t n) {
  if (n <= 16) return std::bit_ceil(n);
  const std::size_t step = n <= 64 ? 16 : 64;
  return (n + step - 1) / step * step;
}

// Halving the cells pays where attention reads much of them.
constexpr std::int64_t kValuesForF16 = 8192;

DType cell_type(KvCellType asked, bool gpu, const Hyperparameters& hparams) {
  if (asked == KvCellType::kQ8_0) return DType::kQ8_0;
  const bool large = hparams.n_layer * hparams.n_kv() >= kValuesForF16;
  const bool f16 = asked == KvCellType::kF16 || (asked == KvCellType::kDefault && gpu && large);
  return f16 ? DType::kF16 : DType::kF32;
}

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

Forward::Forward(const Model& model, const Devices& devices, const EngineOptions& options)
    : model_(model),
      devices_(devices),
      max_pages_(pages_of(options.n_ctx)),
      graphs_(devices.list(), compile_options(options)),
      rotation_(rotation_of(model.architecture())) {
  make_kv_cache(options);
  if (levers().trace) observers_.add(trace_);
  if (levers().op_timing) {
    timing_ = std::make_unique<OpTiming>(kv_device_->measure_copy_rate());
    observers_.add(*timing_);  // last: its clock starts right before the node
  }
}

// Says which tensor keeps a GPU from running the model; where the user asked for the GPU, that is an error.
void Forward::check_participation(const CompiledGraph& graph, const EngineOptions& options) const {
  for (const LeftOutDevice& left_out : graph.report().left_out) {
    const Backend& device = *devices_.list()[static_cast<std::size_t>(left_out.device)];
    const std::string text =
        fmt::format("{} cannot run this model: {}: {}", device.name(), left_out.tensor, left_out.reason);
    if (options.gpu >= 0) throw UnsupportedError(text);
    log_info("{}", text);
  }
}

// The device that runs attention, which a decode step's graph tells; sets the type of the cells.
DeviceId Forward::choose_device(const EngineOptions& options) {
  const Hyperparameters& hparams = model_.architecture().hparams();
  kv_cell_ = cell_type(options.kv_cell, devices_.list().front()->is_gpu(), hparams);
  if (kv_cell_ == DType::kQ8_0 && hparams.head_dim % 32 != 0)
    throw UnsupportedError(
        fmt::format("KV cells of type q8_0 need heads of a multiple of 32 values, not {}", hparams.head_dim));
  check_participation(graph_for({1, 1, 1}), options);
  const DeviceId device = graph_for({1, 1, 1}).kv_device(0);
  kv_cell_ = cell_type(options.kv_cell, devices_.list()[static_cast<std::size_t>(device)]->is_gpu(), hparams);
  return device;
}

void Forward::make_kv_cache(const EngineOptions& options) {
  const DeviceId id = choose_device(options);
  Backend& device = *devices_.list()[static_cast<std::size_t>(id)];
  kv_device_ = &device;
  gpu_ = device.is_gpu();
  const Hyperparameters& hparams = model_.architecture().hparams();
  const KvGeometry geometry{0, hparams.n_head_kv, hparams.head_dim, kv_cell_};
  try {
    kv_ = std::make_unique<KvCache>(device, hparams.n_layer, geometry,
                                    static_cast<std::int32_t>(max_pages_ * options.n_sequences), gpu_);
  } catch (const OutOfMemoryError& error) {
    const std::uint64_t page = std::uint64_t{2} * static_cast<std::uint64_t>(hparams.n_layer) * kKvPageSize *
                               geometry.row_bytes() * static_cast<std::uint64_t>(options.n_sequences);
    throw OutOfMemoryError(fmt::format("{}; the largest context that fits is about {} positions (now {})",
                                       error.what(), device.memory().free_bytes / page * kKvPageSize,
                                       options.n_ctx));
  }
}

Forward::Shape Forward::shape_of(const MicroBatch& batch) const {
  const Shape exact{batch.n_tokens(), batch.n_logit_rows(), batch.n_slots()};
  if (!gpu_) return exact;
  return {bucket(exact.n_tokens), bucket(exact.n_logit_rows), bucket(exact.n_slots)};
}

CompiledGraph& Forward::graph_for(const Shape& shape) {
  GraphParams params;
  params.model = model_.id();
  params.n_tokens = static_cast<std::int64_t>(shape.n_tokens);
  params.n_logit_rows = static_cast<std::int64_t>(shape.n_logit_rows);
  params.n_slots = static_cast<std::int64_t>(shape.n_slots);
  params.max_pages = max_pages_;
  params.kv_cell = kv_cell_;
  params.fuse_qkv = !levers().no_fuse_qkv;
  params.fuse_ffn = !levers().no_fuse_ffn;
  const std::int64_t n_built = graphs_.builds();
  CompiledGraph& graph = graphs_.get(params, [&] {
    return model_.architecture().build(model_.id(), {params.n_tokens, params.n_logit_rows, params.n_slots,
                                                     params.max_pages, params.kv_cell});
  });
  if (levers().graph_trace && graphs_.builds() != n_built)
    log_info("graph of {} tokens, {} with logits:\n{}", shape.n_tokens, shape.n_logit_rows, dump_text(graph));
  return graph;
}

// Tokens beyond the batch's are padding: position 0 of the first sequence, stored into the spare page.
void Forward::write_inputs(CompiledGraph& graph, const MicroBatch& batch, const Shape& shape) const {
  const auto write = [&](InputRole role, const std::vector<std::int32_t>& values, std::size_t n) {
    if (values.size() == n) return write_input(graph, role, values);
    std::vector<std::int32_t> padded = values;
    padded.resize(n, role == InputRole::kCells ? kv_->spare_cell() : 0);
    write_input(graph, role, padded);
  };
  write(InputRole::kTokens, batch.tokens, shape.n_tokens);
  write(InputRole::kPositions, batch.positions, shape.n_tokens);
  write(InputRole::kCells, batch.cells, shape.n_tokens);
  write(InputRole::kSlots, batch.slots, shape.n_tokens);
  write_input(graph, InputRole::kPageTable,
              batch.page_table(shape.n_slots, static_cast<std::size_t>(max_pages_)));
  if (batch.n_logit_rows() > 0) write(InputRole::kLogitRows, batch.logit_rows, shape.n_logit_rows);
}

void Forward::run(const MicroBatch& batch, std::span<float> logits, const std::stop_token& stop) {
  const Shape shape = shape_of(batch);
  CompiledGraph& graph = graph_for(shape);
  last_ = &graph;
  write_inputs(graph, batch, shape);
  // Logits are waited for where they are read.
  const bool wait = batch.n_logit_rows() == 0;
  minfer::run(graph, {kv_.get(), stop, observers_.empty() ? nullptr : &observers_, wait});
  if (batch.n_logit_rows() == 0) return;
  read_output(graph, 0, logits);
  if (!all_finite(logits)) report_non_finite(graph, batch);
}

// Runs the same batch again, looking at every result on the way.
void Forward::report_non_finite(CompiledGraph& graph, const MicroBatch& batch) const {
  FiniteObserver observer;
  write_inputs(graph, batch, shape_of(batch));
  minfer::run(graph, {kv_.get(), {}, &observer});
  throw Error(fmt::format("{}: {}", model_.info().path, observer.report()));
}

RunPlan Forward::plan(int n_tokens) {
  const auto n = static_cast<std::size_t>(n_tokens);
  return run_plan(graph_for({gpu_ ? bucket(n) : n, 1, 1}));
}

std::string Forward::describe() const { return last_ ? dump_text(*last_) : ""; }

}  // namespace minfer
