#include "minfer/engine.h"

#include <fmt/core.h>

#include <map>
#include <vector>

#include "base/check.h"
#include "base/cpu_count.h"
#include "base/levers.h"
#include "base/log.h"
#include "minfer/error.h"
#include "models/architecture.h"
#include "runtime/devices.h"
#include "runtime/forward.h"
#include "runtime/kv_cache.h"
#include "runtime/micro_batch.h"

namespace minfer {
namespace {

constexpr int kDefaultContext = 4096;
constexpr int kMicroBatch = 512;
constexpr int kGpuMicroBatch = 2048;  // weights are decoded for tensor cores once a micro-batch
static_assert(kKvPagePositions == kKvPageSize);

// A cell's number is an i32 (InputRole::kCells).
void check_cells(const EngineOptions& options) {
  const std::int64_t pages = (std::int64_t{options.n_ctx} + kKvPageSize - 1) / kKvPageSize;
  const std::int64_t cells = pages * kKvPageSize * options.n_sequences;
  constexpr std::int64_t kMaxCells = std::int64_t{1} << 31;
  if (cells > kMaxCells)
    throw InvalidRequestError(fmt::format("{} sequences of {} positions need {} KV cells; the limit is {}",
                                          options.n_sequences, options.n_ctx, cells, kMaxCells));
}

EngineOptions filled_in(EngineOptions options, const ModelInfo& info) {
  const auto check = [](const char* name, int value, int min, int max) {
    if (value < min || value > max)
      throw InvalidRequestError(fmt::format("{} is {}, not between {} and {}", name, value, min, max));
  };
  check("n_ctx", options.n_ctx, 0, 1 << 28);
  check("n_sequences", options.n_sequences, 1, 4096);
  check("n_ubatch", options.n_ubatch, 0, 1 << 16);
  check("n_threads", options.n_threads, 0, 1024);
  if (options.n_ctx == 0) options.n_ctx = std::min(info.n_ctx_train, kDefaultContext);
  check_cells(options);
  const CpuCount cpus = count_cpus();
  if (options.n_threads == 0) options.n_threads = cpus.default_threads();
  if (options.n_threads > cpus.usable_cpus())
    log_warning("{} threads are more than the {} that can run at a time", options.n_threads,
                cpus.usable_cpus());
  if (options.n_ctx > info.n_ctx_train)
    log_warning("a context of {} is more than the {} that the model was trained for", options.n_ctx,
                info.n_ctx_train);
  return options;
}

KvCellType cell_type_of(DType cell) {
  if (cell == DType::kF16) return KvCellType::kF16;
  return cell == DType::kQ8_0 ? KvCellType::kQ8_0 : KvCellType::kF32;
}

}  // namespace

struct Engine::Impl {
  std::shared_ptr<const Model> model;
  EngineOptions options;
  Devices devices;
  Forward forward;
  std::map<SequenceId, Sequence> sequences;
  SequenceId next_id = 0;
  std::vector<float> logits;  // rows of the last batch, and room of earlier ones
  int n_logit_rows = 0;

  Impl(std::shared_ptr<const Model> m, const EngineOptions& o)
      : model(std::move(m)),
        options(filled_in(o, model->info())),
        devices(*model, options),
        forward(*model, devices, options) {
    if (options.n_ubatch == 0) options.n_ubatch = forward.on_gpu() ? kGpuMicroBatch : kMicroBatch;
    options.kv_cell = cell_type_of(forward.kv().cell());
  }

  Sequence& sequence(SequenceId id) {
    const auto found = sequences.find(id);
    if (found == sequences.end()) throw InvalidRequestError(fmt::format("sequence {} does not exist", id));
    return found->second;
  }

  void check_batch(std::span<const BatchToken> batch);
  void run(std::span<const BatchToken> batch, const std::stop_token& stop);
  SequenceId add(Sequence&& contents);
};

void Engine::Impl::check_batch(std::span<const BatchToken> batch) {
  std::map<SequenceId, int> added;
  for (const BatchToken& token : batch) {
    const int length = sequence(token.sequence).length + ++added[token.sequence];
    if (token.token < 0 || token.token >= model->info().n_vocab)
      throw InvalidRequestError(
          fmt::format("token {} is not in the vocabulary of {}", token.token, model->info().n_vocab));
    if (length > options.n_ctx)
      throw InvalidRequestError(
          fmt::format("sequence {} would exceed its context of {} positions", token.sequence, options.n_ctx));
  }
}

void Engine::Impl::run(std::span<const BatchToken> batch, const std::stop_token& stop) {
  const auto step = static_cast<std::size_t>(options.n_ubatch);
  for (std::size_t first = 0; first < batch.size(); first += step) {
    const auto part = batch.subspan(first, std::min(step, batch.size() - first));
    MicroBatch micro(part, forward.kv(), [this](SequenceId id) -> Sequence& { return sequence(id); });
    const auto n_vocab = static_cast<std::size_t>(model->info().n_vocab);
    const std::size_t filled = static_cast<std::size_t>(n_logit_rows) * n_vocab;
    const std::size_t added = micro.n_logit_rows() * n_vocab;
    if (logits.size() < filled + added)
      logits.resize(filled + added);  // never smaller: clearing it costs time
    forward.run(micro, std::span(logits).subspan(filled, added), stop);
    n_logit_rows += static_cast<int>(micro.n_logit_rows());
  }
}

SequenceId Engine::Impl::add(Sequence&& contents) {
  const SequenceId id = next_id++;
  sequences.emplace(id, std::move(contents));
  return id;
}

Engine::Engine(std::shared_ptr<const Model> model, const EngineOptions& options)
    : impl_(std::make_unique<Impl>(std::move(model), options)) {}
Engine::~Engine() = default;

const Model& Engine::model() const { return *impl_->model; }
const EngineOptions& Engine::options() const { return impl_->options; }
std::string Engine::description() const { return impl_->devices.description(); }

std::uint64_t Engine::kv_bytes_per_position() const { return impl_->forward.kv().bytes_per_position(); }

std::string Engine::backend() const { return std::string(impl_->forward.kv_device().name()); }
double Engine::measure_copy_rate() { return impl_->forward.kv_device().measure_copy_rate(); }
ClockRates Engine::clock_rates() const {
  const DeviceClocks clocks = impl_->forward.kv_device().clocks();
  return {clocks.core_mhz, clocks.memory_mhz};
}

EngineStats Engine::stats() const {
  const PagePool& pool = impl_->forward.kv().pool();
  return {impl_->forward.graphs_built(), impl_->forward.graphs_reused(), pool.n_held(), pool.n_touched()};
}

SequenceId Engine::create_sequence() {
  if (static_cast<int>(impl_->sequences.size()) >= impl_->options.n_sequences)
    throw InvalidRequestError(fmt::format("all {} sequences are in use", impl_->options.n_sequences));
  return impl_->add({});
}

void Engine::free_sequence(SequenceId sequence) {
  impl_->forward.kv().release(impl_->sequence(sequence));
  impl_->sequences.erase(sequence);
}

int Engine::length(SequenceId sequence) const { return impl_->sequence(sequence).length; }

SequenceId Engine::fork(SequenceId sequence) {
  if (static_cast<int>(impl_->sequences.size()) >= impl_->options.n_sequences)
    throw InvalidRequestError(fmt::format("all {} sequences are in use", impl_->options.n_sequences));
  return impl_->add(impl_->forward.kv().fork(impl_->sequence(sequence)));
}

void Engine::truncate(SequenceId sequence, int length) {
  Sequence& s = impl_->sequence(sequence);
  if (length < 0 || length > s.length)
    throw InvalidRequestError(fmt::format("cannot truncate {} positions to {}", s.length, length));
  impl_->forward.kv().truncate(s, length);
}

void Engine::remove_range(SequenceId sequence, int first, int last) {
  Sequence& s = impl_->sequence(sequence);
  if (first < 0 || first > last || last > s.length)
    throw InvalidRequestError(fmt::format("cannot remove positions [{}, {}) of {}", first, last, s.length));
  impl_->forward.kv().remove_range(s, first, last, impl_->forward.key_rotation());
}

void Engine::decode(std::span<const BatchToken> batch, const std::stop_token& stop) {
  impl_->n_logit_rows = 0;
  impl_->check_batch(batch);
  std::map<SequenceId, int> former_lengths;
  for (const BatchToken& token : batch)
    former_lengths[token.sequence] = impl_->sequence(token.sequence).length;
  try {
    impl_->run(batch, stop);
  } catch (...) {
    for (const auto& [id, length] : former_lengths) impl_->forward.kv().truncate(impl_->sequence(id), length);
    impl_->n_logit_rows = 0;
    throw;
  }
}

std::span<const float> Engine::logits(int i) const {
  if (i < 0 || i >= impl_->n_logit_rows)
    throw InvalidRequestError(fmt::format("logits {} of a batch with {} rows", i, impl_->n_logit_rows));
  const auto n_vocab = static_cast<std::size_t>(impl_->model->info().n_vocab);
  return std::span<const float>(impl_->logits).subspan(static_cast<std::size_t>(i) * n_vocab, n_vocab);
}

int Engine::n_logit_rows() const { return impl_->n_logit_rows; }
std::string Engine::take_op_timing() { return impl_->forward.take_op_timing(); }

RunPlan Engine::plan(int n_tokens) {
  if (n_tokens < 1 || n_tokens > impl_->options.n_ubatch)
    throw InvalidRequestError(
        fmt::format("a run of {} tokens, where {} are computed together", n_tokens, impl_->options.n_ubatch));
  return impl_->forward.plan(n_tokens);
}

std::string Engine::describe_graph() const { return impl_->forward.describe(); }

}  // namespace minfer
