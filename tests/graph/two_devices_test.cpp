// One model on one device and spread over two of the same kind: splits and copies may not change a bit.
#include <gtest/gtest.h>

#include <cstring>

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#include "gguf/reader.h"
#include "graph/layer_regions.h"
#include "graph/node_kind.h"
#include "graph/partial_device.h"
#include "graph/scheduler.h"
#include "graph/test_graphs.h"
#include "models/architecture.h"
#include "support/data.h"

namespace minfer {
namespace {

using test::LayerRegions;
using test::PartialDevice;

constexpr std::int64_t kTokens = 5;

struct Arrangement {
  const char* name;
  PartialDevice::Claim first_claims;
  std::size_t n_splits_at_least;
};

bool is_attention(const Op& op) { return kv_geometry(op) != nullptr; }
bool is_rotation(const Op& op) {
  return std::holds_alternative<RoPE>(op) || std::holds_alternative<RopeTable>(op);
}
bool is_elementwise(const Op& op) {
  return std::holds_alternative<Silu>(op) || std::holds_alternative<SwiGLU>(op);
}

const Arrangement kArrangements[] = {
    {"attention apart", [](const Op& op) { return !is_attention(op); }, 5},
    {"rotation apart", [](const Op& op) { return !is_rotation(op); }, 5},
    {"activation apart", [](const Op& op) { return !is_elementwise(op); }, 3},
    {"only products and norms on the first",
     [](const Op& op) { return !is_attention(op) && !is_rotation(op) && !is_elementwise(op); }, 9},
};

struct DeviceCase {
  const char* backend;  // "cpu" or "reference"
  DType cell;
};

std::unique_ptr<Backend> make_backend(std::string_view name) {
  if (name == "reference") return std::make_unique<ReferenceBackend>();
  CpuOptions options;
  options.n_threads = 2;
  return std::make_unique<CpuBackend>(options);
}

class TwoDevicesTest : public testing::TestWithParam<DeviceCase> {
 protected:
  TwoDevicesTest()
      : bytes_(test::read_bytes(test::test_data("oracle/nano-qwen3-q8_0.gguf"))),
        reader_(gguf::Reader::parse(bytes_, "nano-qwen3-q8_0.gguf")),
        model_(load_architecture(reader_)) {}

  std::unique_ptr<PartialDevice> make_device(PartialDevice::Claim claims) const {
    auto device = std::make_unique<PartialDevice>(make_backend(GetParam().backend), std::move(claims));
    for (const ModelWeight& weight : model_->weights())
      device->register_weight(test::kTestModel, weight.ref.name, weight.view, weight.uses);
    return device;
  }

  static void write_inputs(CompiledGraph& graph) {
    write_input(graph, InputRole::kTokens, std::vector<std::int32_t>{3, 1, 4, 1, 5});
    write_input(graph, InputRole::kPositions, std::vector<std::int32_t>{0, 1, 2, 3, 4});
    write_input(graph, InputRole::kCells, std::vector<std::int32_t>{0, 1, 2, 3, 4});
    write_input(graph, InputRole::kSlots, std::vector<std::int32_t>(kTokens, 0));
    write_input(graph, InputRole::kPageTable, std::vector<std::int32_t>{0});
    write_input(graph, InputRole::kLogitRows, std::vector<std::int32_t>{0, 1, 2, 3, 4});
  }

  std::vector<float> logits(std::span<Backend* const> devices, std::size_t n_splits_at_least) {
    const BatchShape shape{kTokens, kTokens, 1, 1, GetParam().cell};
    const auto graph = compile(model_->build(test::kTestModel, shape), devices, {.verify = true});
    EXPECT_GE(graph->splits().size(), n_splits_at_least);
    Arena arena(devices);
    graph->bind(arena);
    const LayerRegions kv(*graph, model_->hparams(), GetParam().cell);
    write_inputs(*graph);
    run(*graph, {.kv = &kv});
    std::vector<float> values(static_cast<std::size_t>(kTokens * model_->hparams().n_vocab));
    read_output(*graph, 0, values);
    return values;
  }

  std::vector<std::byte> bytes_;
  gguf::Reader reader_;
  std::unique_ptr<Architecture> model_;
};

TEST_P(TwoDevicesTest, GiveTheBitsOfOne) {
  const auto whole = make_device([](const Op&) { return true; });
  Backend* const one[] = {whole.get()};
  const std::vector<float> expected = logits(one, 1);
  EXPECT_NE(expected.front(), 0.0f);
  for (const Arrangement& arrangement : kArrangements) {
    SCOPED_TRACE(arrangement.name);
    const auto first = make_device(arrangement.first_claims);
    const auto last = make_device([](const Op&) { return true; });
    Backend* const two[] = {first.get(), last.get()};
    const std::vector<float> actual = logits(two, arrangement.n_splits_at_least);
    EXPECT_EQ(std::memcmp(actual.data(), expected.data(), expected.size() * sizeof(float)), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, TwoDevicesTest,
                         testing::Values(DeviceCase{"cpu", DType::kF32}, DeviceCase{"cpu", DType::kQ8_0},
                                         DeviceCase{"reference", DType::kF32},
                                         DeviceCase{"reference", DType::kQ8_0}),
                         [](const auto& c) {
                           return c.param.backend + ("_" + std::string(dtype_name(c.param.cell)));
                         });

}  // namespace
}  // namespace minfer
