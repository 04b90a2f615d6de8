#include "backends/cpu/node_runner.h"

#include <gtest/gtest.h>

#include <random>

#include "base/cpu_features.h"

namespace minfer::test {
namespace {

constexpr ModelId kModel = 1;

std::vector<std::byte> bytes_of(const void* data, std::size_t n) {
  std::vector<std::byte> bytes(n);
  if (n) std::memcpy(bytes.data(), data, n);
  return bytes;
}

// The node around the case's op, with its output inferred.
struct BuiltNode {
  Node node;
  std::vector<TensorDesc> inputs;
  std::vector<WeightRef> weights;

  explicit BuiltNode(const NodeCase& source) {
    std::vector<TensorDesc> weight_descs;
    for (const HostTensor& input : source.inputs) inputs.push_back(input.desc);
    for (const HostTensor& weight : source.weights) {
      weights.push_back({"w" + std::to_string(weights.size()), weight.desc});
      weight_descs.push_back(weight.desc);
    }
    node.op = source.op;
    node.label = "node";
    node.out = infer(source.op, {inputs, weight_descs});
  }
};

void register_weights(CpuBackend& backend, const NodeCase& source, const BuiltNode& built) {
  backend.release_model(kModel);
  for (std::size_t i = 0; i < source.weights.size(); ++i) {
    const HostTensor& weight = source.weights[i];
    backend.register_weight(kModel, built.weights[i].name,
                            {weight.desc, weight.bytes.data(), weight.bytes.size()}, 0);
  }
}

Plan plan_built(CpuBackend& backend, const BuiltNode& built) {
  return backend.plan(
      {kModel, &built.node.op, built.inputs, built.node.out, built.weights, built.node.label});
}

// A buffer of the backend for as long as this lives.
class Buffer {
 public:
  Buffer(CpuBackend& backend, std::size_t bytes) : backend_(backend), bytes_(bytes) {
    if (!bytes) return;
    id_ = backend.allocate(bytes);
    std::memset(backend.host_view(id_), 0xff, bytes);  // NaN as floats
  }
  Buffer(CpuBackend& backend, std::span<const std::byte> data) : Buffer(backend, data.size()) {
    if (id_ != kNoBuffer) backend.write(id_, 0, data);
  }
  Buffer(Buffer&& other) noexcept : backend_(other.backend_), bytes_(other.bytes_), id_(other.id_) {
    other.id_ = kNoBuffer;
  }
  ~Buffer() {
    if (id_ != kNoBuffer) backend_.release(id_);
  }
  BufferRef ref() const { return {id_, 0, bytes_}; }
  BufferId id() const { return id_; }
  void read(std::vector<std::byte>& target) const {
    target.resize(bytes_);
    if (id_ != kNoBuffer) backend_.read(id_, 0, target);
  }

 private:
  CpuBackend& backend_;
  std::size_t bytes_;
  BufferId id_ = kNoBuffer;
};

}  // namespace

HostTensor f32(const Shape& shape, std::span<const float> values) {
  return {{DType::kF32, shape}, bytes_of(values.data(), values.size_bytes())};
}

HostTensor i32(const Shape& shape, std::span<const std::int32_t> values) {
  return {{DType::kI32, shape}, bytes_of(values.data(), values.size_bytes())};
}

HostTensor handle() { return {{DType::kHandle, Shape{1}}, {}}; }

Plan plan_node(CpuBackend& backend, const NodeCase& node) {
  const BuiltNode built(node);
  register_weights(backend, node, built);
  return plan_built(backend, built);
}

std::vector<std::byte> run_node(CpuBackend& backend, NodeCase& node) {
  const BuiltNode built(node);
  register_weights(backend, node, built);
  const PlannedNode planned{&built.node, plan_built(backend, built)};
  if (!planned.plan.supported) {
    ADD_FAILURE() << "unsupported: " << planned.plan.reason;
    return {};
  }
  std::vector<Buffer> inputs;
  std::vector<BufferRef> refs;
  for (const HostTensor& input : node.inputs) {
    inputs.emplace_back(backend, std::span<const std::byte>(input.bytes));
    refs.push_back(inputs.back().ref());
  }
  const bool has_output = built.node.out.dtype != DType::kHandle;
  const Buffer output(backend, has_output ? tensor_bytes(built.node.out) : 0);
  const Buffer workspace(backend, planned.plan.workspace_bytes);
  const Buffer k(backend, std::span<const std::byte>(node.k));
  const Buffer v(backend, std::span<const std::byte>(node.v));
  backend.execute(planned, {refs, output.ref(), workspace.ref(), {k.id(), v.id(), node.n_cells}});
  k.read(node.k);
  v.read(node.v);
  std::vector<std::byte> result;
  output.read(result);
  return result;
}

std::vector<float> run_node_f32(CpuBackend& backend, NodeCase& node) {
  const std::vector<std::byte> bytes = run_node(backend, node);
  std::vector<float> floats(bytes.size() / sizeof(float));
  if (!floats.empty()) std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

CpuOptions with_threads(int n_threads, bool fused_q8_kv) {
  CpuOptions options;
  options.n_threads = n_threads;
  options.fused_q8_kv = fused_q8_kv;
  return options;
}

std::vector<CpuOptions> all_configurations() {
  std::vector<CpuOptions> result;
  for (const CpuIsa isa : usable_isas(detect_cpu_features())) {
    for (const int n_threads : {1, 2, 3, 8}) {
      result.push_back(with_threads(n_threads));
      result.back().isa = isa;
    }
  }
  return result;
}

std::string name_of(const CpuOptions& options) {
  return std::string(isa_name(*options.isa)) + " with " + std::to_string(options.n_threads) + " threads";
}

std::vector<float> random_floats(std::size_t n, unsigned seed, float scale) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal(0.0f, scale);
  std::vector<float> values(n);
  for (float& value : values) value = normal(engine);
  return values;
}

}  // namespace minfer::test
