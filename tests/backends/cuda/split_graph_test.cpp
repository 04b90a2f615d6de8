// A model spread over the GPU and another device: what copies between them carry.
#include <cmath>

#include "backends/cpu/cpu_backend.h"
#include "backends/cuda/cuda_backend.h"
#include "gguf/reader.h"
#include "gpu.h"
#include "graph/compile.h"
#include "graph/compiled_graph.h"
#include "graph/layer_regions.h"
#include "graph/partial_device.h"
#include "graph/scheduler.h"
#include "models/architecture.h"
#include "support/data.h"
#include "support/op_data.h"

namespace minfer::test {
namespace {

constexpr ModelId kModel = 7;
constexpr std::int64_t kTokens = 5;

class SplitGraph : public testing::Test {
 protected:
  void SetUp() override { MINFER_NEED_GPU(); }

  std::unique_ptr<PartialDevice> device(std::unique_ptr<Backend> backend, PartialDevice::Claim claims) const {
    auto device = std::make_unique<PartialDevice>(std::move(backend), std::move(claims));
    for (const ModelWeight& weight : model_->weights())
      device->register_weight(kModel, weight.ref.name, weight.view, weight.uses);
    return device;
  }
  static PartialDevice::Claim all() {
    return [](const Op&) { return true; };
  }
  static PartialDevice::Claim all_but_attention() {
    return [](const Op& op) { return kv_geometry(op) == nullptr; };
  }

  std::vector<float> logits(std::span<Backend* const> devices, std::size_t n_splits_at_least) const {
    const BatchShape shape{kTokens, kTokens, 1, 1, DType::kF32};
    const auto graph = compile(model_->build(kModel, shape), devices, {.verify = true});
    EXPECT_GE(graph->splits().size(), n_splits_at_least);
    Arena arena(devices);
    graph->bind(arena);
    const LayerRegions kv(*graph, model_->hparams(), DType::kF32);
    write_input(*graph, InputRole::kTokens, std::vector<std::int32_t>{3, 1, 4, 1, 5});
    write_input(*graph, InputRole::kPositions, std::vector<std::int32_t>{0, 1, 2, 3, 4});
    write_input(*graph, InputRole::kCells, std::vector<std::int32_t>{0, 1, 2, 3, 4});
    write_input(*graph, InputRole::kSlots, std::vector<std::int32_t>(kTokens, 0));
    write_input(*graph, InputRole::kPageTable, std::vector<std::int32_t>{0});
    write_input(*graph, InputRole::kLogitRows, std::vector<std::int32_t>{0, 1, 2, 3, 4});
    run(*graph, {.kv = &kv});
    std::vector<float> values(static_cast<std::size_t>(kTokens * model_->hparams().n_vocab));
    read_output(*graph, 0, values);
    return values;
  }

  std::vector<std::byte> bytes_ = read_bytes(test_data("oracle/nano-qwen3-q8_0.gguf"));
  gguf::Reader reader_ = gguf::Reader::parse(bytes_, "nano-qwen3-q8_0.gguf");
  std::unique_ptr<Architecture> model_ = load_architecture(reader_);
};

// Neither memory can be addressed by the host: a copy goes through a buffer of its own.
TEST_F(SplitGraph, TwoDevicesOfOneGpuGiveTheBitsOfOne) {
  const auto whole = device(std::make_unique<CudaBackend>(), all());
  Backend* const one[] = {whole.get()};
  const std::vector<float> expected = logits(one, 1);
  const auto first = device(std::make_unique<CudaBackend>(), all_but_attention());
  const auto last = device(std::make_unique<CudaBackend>(), all());
  Backend* const two[] = {first.get(), last.get()};
  EXPECT_EQ(logits(two, 5), expected);
}

// There and back in every layer. The two round activations differently.
TEST_F(SplitGraph, CopiesGoFromTheGpuToTheCpuAndBack) {
  const auto cpu = device(std::make_unique<CpuBackend>(CpuOptions{}), all());
  Backend* const one[] = {cpu.get()};
  const std::vector<float> expected = logits(one, 1);
  const auto gpu = device(std::make_unique<CudaBackend>(), all_but_attention());
  const auto rest = device(std::make_unique<CpuBackend>(CpuOptions{}), all());
  Backend* const two[] = {gpu.get(), rest.get()};
  const std::vector<float> actual = logits(two, 5);
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += std::pow(double{actual[i]} - expected[i], 2);
    norm += std::pow(double{expected[i]}, 2);
  }
  EXPECT_LT(std::sqrt(difference / norm), 0.02);
}

}  // namespace
}  // namespace minfer::test
