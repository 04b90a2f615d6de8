#include "graph/lower_quantize.h"

#include <gtest/gtest.h>

#include "graph/compiled_graph.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"

namespace minfer {
namespace {

using test::StampDevice;

std::unique_ptr<CompiledGraph> compile_unfused(const Graph& graph, std::span<Backend* const> devices) {
  for (Backend* device : devices) test::register_weights(graph, *device);
  return compile(graph, devices, {.fuse = false, .verify = true});
}

TEST(LowerQuantize, SharesOneNodeAmongAllReadersOfAValue) {
  StampDevice device({.activation = DType::kQ8Row32});
  Backend* const devices[] = {&device};
  const auto compiled = compile_unfused(test::make_transformer({.weights = DType::kQ8_0}), devices);
  const Graph& graph = compiled->graph();
  // Attention's three products share one, gate and up share one; then attn_output, ffn_down and the head.
  EXPECT_EQ(test::count<Quantize>(graph), 5);
  const auto input_of = [&](const char* label) {
    return graph.nodes[static_cast<std::size_t>(test::find_node(graph, label))].inputs[0];
  };
  EXPECT_EQ(input_of("blk.0.attn_q"), input_of("blk.0.attn_v"));
  EXPECT_EQ(input_of("blk.0.attn_q"), test::find_node(graph, "blk.0.attn_norm.q8_row32"));
}

TEST(LowerQuantize, LeavesProductsThatReadFloatsAlone) {
  StampDevice device({.activation = DType::kQ8Row32});
  Backend* const devices[] = {&device};
  EXPECT_EQ(test::count<Quantize>(compile_unfused(test::make_transformer(), devices)->graph()), 0);
}

// Reads Q8_0 weights as kQ8Row32 and K-quants as kQ8Row256, as the CPU does.
class TwoTypes : public StampDevice {
 public:
  using StampDevice::StampDevice;
  Plan plan(const NodeSpec& spec) const override {
    Plan plan = StampDevice::plan(spec);
    if (std::holds_alternative<MatMul>(*spec.op))
      plan.input_type = spec.weights[0].desc.dtype == DType::kQ8_0 ? DType::kQ8Row32 : DType::kQ8Row256;
    return plan;
  }
};

TEST(LowerQuantize, ConvertsOnceForEachTypeAskedFor) {
  GraphBuilder builder(test::kTestModel);
  const Value x = builder.add(Input{InputRole::kOther, {DType::kF32, {256, 2}}}, {}, {}, "x");
  for (const char* name : {"a", "b"}) {
    for (const DType type : {DType::kQ8_0, DType::kQ4_K}) {
      const std::string label = name + std::string(dtype_name(type));
      builder.mark_output(builder.add(MatMul{}, {x}, {builder.weight(label, {type, {256, 8}})}, label));
    }
  }
  TwoTypes device;
  Backend* const devices[] = {&device};
  EXPECT_EQ(test::count<Quantize>(compile_unfused(std::move(builder).finish(), devices)->graph()), 2);
}

}  // namespace
}  // namespace minfer
