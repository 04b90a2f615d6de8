#include "backends/cuda/cuda_backend.h"

#include <algorithm>
#include <array>

#include "backends/cuda/device/check.h"
#include "backends/cuda/device/driver.h"
#include "base/check.h"
#include "base/levers.h"
#include "base/log.h"

namespace minfer {

using cuda::NodeState;

namespace {

constexpr std::size_t kMaxInputs = 8;
constexpr std::size_t kMaxWeights = 8;
constexpr std::size_t kMaxLabels = 1 << 16;  // a fault of a node that is forgotten has no label

const NodeState& state_of(const PlannedNode& node) {
  MINFER_CHECK(node.plan.supported && node.plan.state, "{}: not planned here", node.node->label);
  return *static_cast<const NodeState*>(node.plan.state.get());
}

void check_bytes(std::string_view label, std::string_view what, std::size_t actual, std::size_t needed) {
  MINFER_CHECK(actual >= needed, "{}: {} of {} bytes, not {}", label, what, actual, needed);
}

void check_buffers(const NodeState& state, std::string_view label, const NodeBuffers& buffers) {
  const std::size_t n_inputs = state.input_bytes.size();
  MINFER_CHECK(buffers.inputs.size() == n_inputs && n_inputs <= kMaxInputs, "{}: {} inputs, not {}", label,
               buffers.inputs.size(), n_inputs);
  MINFER_CHECK(state.weights.size() <= kMaxWeights, "{}: {} weights", label, state.weights.size());
  for (std::size_t i = 0; i < n_inputs; ++i)
    check_bytes(label, "an input", buffers.inputs[i].bytes, state.input_bytes[i]);
  check_bytes(label, "an output", buffers.output.bytes, state.output_bytes);
  check_bytes(label, "a workspace", buffers.workspace.bytes, state.workspace_bytes);
}

cuda::KvSpan kv_span(const cuda::BufferPool& buffers, const KvRegion& region) {
  if (region.k == kNoBuffer || region.v == kNoBuffer) return {};
  return {buffers.data(region.k, 0, 0), buffers.data(region.v, 0, 0),
          std::min(buffers.bytes(region.k), buffers.bytes(region.v)), region.n_cells};
}

int chosen_device(const CudaOptions& options) {
  if (options.device >= 0) return options.device;
  const int best = cuda::best_device();
  if (best < 0) throw InvalidRequestError("there is no CUDA device");
  return best;
}

std::string_view fault_text(cuda::FaultKind kind) {
  switch (kind) {
    case cuda::FaultKind::kNone:
      break;
    case cuda::FaultKind::kId:
      return "an id beyond the rows";
    case cuda::FaultKind::kCell:
      return "a cell beyond the KV region";
    case cuda::FaultKind::kSlot:
      return "a slot beyond the page table";
    case cuda::FaultKind::kPosition:
      return "a position beyond the page table";
    case cuda::FaultKind::kPage:
      return "a page beyond the KV region";
  }
  return "an unknown fault";
}

}  // namespace

CudaOptions cuda_options(const Levers& levers) {
  CudaOptions options;
  options.kernels.kernel = levers.kernel;
  options.kernels.mmq = levers.mmq;
  options.kernels.no_kq_mmvq = levers.no_kq_mmvq;
  options.kernels.no_prefill_gemm = levers.no_prefill_gemm;
  options.kernels.no_repack = levers.no_repack;
  options.kernels.fused_q8_kv = !levers.no_fused_q8_kv;
  options.graphs = !levers.no_cuda_graph;
  options.prefill_capture = !levers.no_prefill_capture;
  options.pinned_readback = !levers.no_pinned_readback;
  options.quantize_epilogue = !levers.no_decode_a_fuse;
  return options;
}

std::unique_ptr<CudaBackend> CudaBackend::create_if_present(const CudaOptions& options) {
  if (cuda::device_count() == 0 && options.device < 0) return nullptr;
  return std::make_unique<CudaBackend>(options);
}

CudaBackend::CudaBackend(const CudaOptions& options)
    : options_(options),
      device_(chosen_device(options)),
      weights_(device_.limits(), options_.kernels.no_repack),
      ring_(device_),
      readback_(device_, options.pinned_readback),
      captures_(device_) {
  if (!options_.graphs) captures_.disable();
}

CudaBackend::~CudaBackend() { wait_quietly(); }

// Before memory goes. A device that failed uses none of it any more, and whoever cleans up must not throw.
void CudaBackend::wait_quietly() noexcept {
  try {
    device_.activate();
    device_.synchronize();
  } catch (const Error& error) {
    log_warning("CUDA: {}", error.what());
  }
}

Plan CudaBackend::plan(const NodeSpec& spec) const {
  device_.activate();
  Plan plan = cuda::plan_node(spec, weights_, device_.limits(), options_.kernels);
  return plan;
}

bool CudaBackend::supports_fused(FusedKind kind) const {
  return kind != FusedKind::kQuantizeEpilogue || options_.quantize_epilogue;
}

bool CudaBackend::reads_packed_kv(DType cell) const {
  return cell == DType::kF32 || cell == DType::kF16 || cell == DType::kQ8_0;
}

void CudaBackend::register_weight(ModelId model, std::string_view name, const TensorView& view,
                                  WeightUses uses) {
  weights_.add(model, name, view, uses);
}

void CudaBackend::release_model(ModelId model) {
  wait_quietly();
  captures_.clear();  // recordings hold addresses of weights
  weights_.release_model(model);
}

void CudaBackend::prepare(const PlannedNode& node) {
  device_.activate();
  for (const cuda::WeightStore::Entry* entry : state_of(node).weights)
    weights_.upload(*entry, device_, ring_);
  ring_.flush();
}

BufferId CudaBackend::allocate(std::size_t bytes) {
  device_.activate();
  return buffers_.allocate(bytes);
}

void CudaBackend::release(BufferId buffer) { buffers_.release(buffer); }

void CudaBackend::write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) {
  device_.activate();
  ring_.write(buffers_.data(buffer, offset, bytes.size()), bytes);
}

void CudaBackend::read(BufferId buffer, std::size_t offset, std::span<std::byte> bytes) {
  device_.activate();
  ring_.flush();
  readback_.read(buffers_.data(buffer, offset, bytes.size()), bytes);
  throw_fault();
}

bool CudaBackend::begin(const Split& split) {
  device_.activate();
  recorded_.clear();
  ring_.flush();
  observed_ = !split.may_replay;
  if (!split.may_replay || (split.n_tokens > 1 && !options_.prefill_capture)) return false;
  const cuda::SplitKey key{split.graph_id, split.first, split.last};
  return captures_.start(key, buffers_.generation()) == cuda::CaptureCache::Start::kReplayed;
}

void CudaBackend::execute(const PlannedNode& node, const NodeBuffers& buffers) {
  if (observed_) return launch_timed(node, buffers);
  if (captures_.recording()) recorded_.push_back({&node, buffers});
  launch(node, buffers);
}

void CudaBackend::launch_timed(const PlannedNode& node, const NodeBuffers& buffers) {
  prepare(node);
  node_time_.start(device_.stream());
  launch(node, buffers);
  node_time_.stop(device_.stream());
}

std::optional<double> CudaBackend::node_seconds() { return node_time_.seconds(); }

void CudaBackend::launch(const PlannedNode& node, const NodeBuffers& buffers) {
  const NodeState& state = state_of(node);
  check_buffers(state, node.node->label, buffers);
  std::array<std::byte*, kMaxInputs> inputs{};
  for (std::size_t i = 0; i < buffers.inputs.size(); ++i) inputs[i] = buffers_.data(buffers.inputs[i]);
  std::array<cuda::DeviceWeight, kMaxWeights> weights{};
  for (std::size_t i = 0; i < state.weights.size(); ++i) {
    if (!state.weights[i]->uploaded) prepare(node);
    weights[i] = state.weights[i]->device;
  }
  if (labels_.size() > kMaxLabels) labels_.clear();
  labels_.try_emplace(state.number, state.label);
  state.candidate->launch({*node.node, std::span(weights.data(), state.weights.size()),
                           state.candidate_state.get(), state.input_descs,
                           std::span(inputs.data(), buffers.inputs.size()), buffers_.data(buffers.output),
                           buffers_.data(buffers.workspace), kv_span(buffers_, buffers.kv), device_.limits(),
                           device_.faults(state.number), device_.stream()});
}

double CudaBackend::measure_copy_rate() {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // many times any cache
  constexpr int kCopies = 5;
  const std::size_t n_bytes = std::min<std::size_t>(kMostBytes, memory().free_bytes / 8);
  if (n_bytes == 0) return 0;
  const BufferId from = buffers_.allocate(n_bytes);
  const BufferId to = buffers_.allocate(n_bytes);
  std::byte* source = buffers_.data(from, 0, n_bytes);
  std::byte* target = buffers_.data(to, 0, n_bytes);
  const auto copy = [&] {
    MINFER_CUDA(cudaMemcpyAsync(target, source, n_bytes, cudaMemcpyDeviceToDevice, device_.stream()));
  };
  copy();
  cuda::EventPair time;
  time.start(device_.stream());
  for (int i = 0; i < kCopies; ++i) copy();
  time.stop(device_.stream());
  device_.synchronize();
  const double seconds = time.seconds().value_or(1);
  buffers_.release(from);
  buffers_.release(to);
  buffers_.trim();
  return 2.0 * kCopies * static_cast<double>(n_bytes) / seconds;
}

void CudaBackend::end(const Split&) {
  if (!captures_.recording() || captures_.finish()) return;
  // Nothing of the split has run yet.
  for (const Recorded& node : recorded_) launch(*node.node, node.buffers);
}

void CudaBackend::abort(const Split&) noexcept { captures_.abort(); }

void CudaBackend::synchronize() {
  device_.activate();
  ring_.flush();
  device_.synchronize();
  throw_fault();
}

void CudaBackend::throw_fault() {
  const cuda::Fault fault = device_.take_fault();
  if (fault.kind == 0) return;
  const auto kind = static_cast<cuda::FaultKind>(fault.kind);
  const auto label = labels_.find(fault.node);
  const std::string text = fmt::format("{}: {}: {} at index {}", label == labels_.end() ? "?" : label->second,
                                       fault_text(kind), fault.value, fault.index);
  // Ids come from callers; everything else that indexes is made by the runtime.
  if (kind == cuda::FaultKind::kId) throw InvalidRequestError(text);
  throw InternalError(text);
}

}  // namespace minfer
