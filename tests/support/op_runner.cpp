#include "support/op_runner.h"

#include <algorithm>

#include "base/check.h"

namespace minfer::test {
namespace {

constexpr std::size_t kGuardBytes = 64;

// Buffers of a backend that go when this goes.
class Scratch {
 public:
  explicit Scratch(Backend& backend) : backend_(backend) {}
  ~Scratch() {
    for (const BufferId id : ids_) backend_.release(id);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  BufferRef filled(std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    const BufferId id = backend_.allocate(bytes.size());
    ids_.push_back(id);
    backend_.write(id, 0, bytes);
    return {id, 0, bytes.size()};
  }
  BufferRef poisoned(std::size_t bytes) { return filled(Bytes(bytes, kPoison)); }
  Bytes contents(BufferId id, std::size_t offset, std::size_t n) {
    Bytes bytes(n);
    if (n > 0) backend_.read(id, offset, bytes);
    return bytes;
  }

 private:
  Backend& backend_;
  std::vector<BufferId> ids_;
};

WeightUse weight_use(const OpCase& c) {
  if (std::holds_alternative<GetRows>(c.op)) return WeightUse::kGetRows;
  return c.weights[0].desc.shape.rank < 2 ? WeightUse::kVector : WeightUse::kMatMul;
}

// The weights of a case, registered under a model of their own until this goes.
class RegisteredModel {
 public:
  RegisteredModel(Backend& backend, const OpCase& c, const std::vector<Bytes>& weights)
      : backend_(backend), model_(++models_) {
    for (std::size_t i = 0; i < c.weights.size(); ++i) {
      refs_.push_back({"weight " + std::to_string(i), c.weights[i].desc});
      backend_.register_weight(model_, refs_.back().name,
                               {c.weights[i].desc, weights[i].data(), weights[i].size()},
                               static_cast<WeightUses>(weight_use(c)));
    }
  }
  ~RegisteredModel() { backend_.release_model(model_); }
  RegisteredModel(const RegisteredModel&) = delete;
  RegisteredModel& operator=(const RegisteredModel&) = delete;

  Plan plan(const OpCase& c, std::string_view label) const {
    std::vector<TensorDesc> inputs;
    for (const Operand& input : c.inputs) inputs.push_back(input.desc);
    return backend_.plan({model_, &c.op, inputs, output_desc(c), refs_, label});
  }

 private:
  static inline ModelId models_ = 1000;
  Backend& backend_;
  ModelId model_;
  std::vector<WeightRef> refs_;
};

OpCase with_input_type(const OpCase& c, DType type) {
  OpCase result = c;
  result.inputs[0].desc.dtype = type;
  return result;
}

std::vector<Bytes> zeroed(const std::vector<Operand>& operands) {
  std::vector<Bytes> all;
  for (const Operand& operand : operands) all.emplace_back(tensor_bytes(operand.desc));
  return all;
}

// The output between two guards, or on top of an input.
BufferRef place_output(Scratch& scratch, const OpCase& c, const std::vector<BufferRef>& inputs,
                       bool in_place) {
  if (in_place) return inputs[static_cast<std::size_t>(in_place_input(c))];
  const std::size_t bytes = tensor_bytes(output_desc(c));
  if (bytes == 0) return {};
  return {scratch.poisoned(bytes + 2 * kGuardBytes).buffer, kGuardBytes, bytes};
}

void check_guards(Scratch& scratch, const BufferRef& output, const std::string& label) {
  if (output.offset == 0) return;
  const Bytes before = scratch.contents(output.buffer, 0, kGuardBytes);
  const Bytes after = scratch.contents(output.buffer, output.offset + output.bytes, kGuardBytes);
  const auto untouched = [](std::byte b) { return b == kPoison; };
  MINFER_CHECK(std::all_of(before.begin(), before.end(), untouched), "{} wrote before its output", label);
  MINFER_CHECK(std::all_of(after.begin(), after.end(), untouched), "{} wrote beyond its output", label);
}

}  // namespace

Plan plan_op(Backend& backend, const OpCase& c) {
  const std::vector<Bytes> weights = zeroed(c.weights);
  const RegisteredModel model(backend, c, weights);
  const Plan plan = model.plan(c, name_of(c));
  if (!plan.supported || c.inputs.empty() || plan.input_type == c.inputs[0].desc.dtype) return plan;
  return model.plan(with_input_type(c, plan.input_type), name_of(c));
}

OpCase lowered(Backend& backend, const OpCase& c) {
  const Plan plan = plan_op(backend, c);
  return plan.supported && !c.inputs.empty() ? with_input_type(c, plan.input_type) : c;
}

struct OpRun::State {
  State(Backend& b, const OpCase& c, const OpData& data, bool in_place)
      : backend(b),
        model(b, c, data.weights),
        node{.op = c.op, .out = output_desc(c), .inputs = {}, .weights = {}, .label = name_of(c)},
        planned{&node, model.plan(c, node.label)},
        scratch(b),
        kv_bytes(data.keys.size()) {
    MINFER_CHECK(planned.plan.supported, "{}: {}", node.label, planned.plan.reason);
    for (const Bytes& input : data.inputs) inputs.push_back(scratch.filled(input));
    output = place_output(scratch, c, inputs, in_place);
    workspace = scratch.poisoned(planned.plan.workspace_bytes);
    kv = {scratch.filled(data.keys).buffer, scratch.filled(data.values).buffer, c.n_cells};
  }

  Backend& backend;
  RegisteredModel model;
  Node node;
  PlannedNode planned;
  Scratch scratch;
  std::size_t kv_bytes;
  std::vector<BufferRef> inputs;
  BufferRef output;
  BufferRef workspace;
  KvRegion kv;
};

OpRun::OpRun(Backend& backend, const OpCase& c, const OpData& data, bool in_place)
    : state_(std::make_unique<State>(backend, c, data, in_place)) {}

OpRun::~OpRun() = default;

const Plan& OpRun::plan() const { return state_->planned.plan; }

void OpRun::execute() {
  Backend& backend = state_->backend;
  const Split split{.graph_id = 1, .first = 0, .last = 1, .n_tokens = 1};
  backend.begin(split);
  try {
    backend.execute(state_->planned, {state_->inputs, state_->output, state_->workspace, state_->kv});
  } catch (...) {
    backend.abort(split);
    throw;
  }
  backend.end(split);
  backend.synchronize();
}

OpResult OpRun::result() {
  State& s = *state_;
  check_guards(s.scratch, s.output, s.node.label);
  return {s.node.out, s.scratch.contents(s.output.buffer, s.output.offset, s.output.bytes),
          s.scratch.contents(s.kv.k, 0, s.kv_bytes), s.scratch.contents(s.kv.v, 0, s.kv_bytes)};
}

OpResult run_op(Backend& backend, const OpCase& c, const OpData& data, bool in_place) {
  OpRun run(backend, c, data, in_place);
  run.execute();
  return run.result();
}

int in_place_input(const OpCase& c) {
  const int input = minfer::in_place_input(c.op);
  return input >= 0 && c.inputs[static_cast<std::size_t>(input)].desc == output_desc(c) ? input : -1;
}

}  // namespace minfer::test
