#include "graph/fuse/fused_ffn.h"

#include "graph/fuse/fuse_test.h"

namespace minfer {
namespace {

class FusedFfnRule : public test::FuseTest {
 protected:
  Value project(Value x, const std::string& label, DType type = DType::kF32) {
    return builder_.add(MatMul{}, {x}, {builder_.weight(label + ".weight", {type, {32, 64}})}, label);
  }
  Graph block(Value gate, Value up) {
    const Value silu = builder_.add(Silu{}, {gate}, {}, "silu");
    builder_.mark_output(builder_.add(Mul{}, {silu, up}, {}, "product"));
    return std::move(builder_).finish();
  }

  GraphBuilder builder_{test::kTestModel};
  Value x_ = input(builder_, "x", {32, 3});
};

TEST_F(FusedFfnRule, FusesTwoProductsOfOneInput) {
  const Graph fused = fuse(block(project(x_, "gate"), project(x_, "up")));
  ASSERT_EQ(fused.nodes.size(), 2u);
  ASSERT_TRUE(std::holds_alternative<FusedFFN>(fused.nodes[1].op));
  EXPECT_EQ(fused.weights[static_cast<std::size_t>(fused.nodes[1].weights[0])].name, "gate.weight");
  EXPECT_EQ(fused.weights[static_cast<std::size_t>(fused.nodes[1].weights[1])].name, "up.weight");
}

TEST_F(FusedFfnRule, FusesProductsOfOneQuantizedInput) {
  test::FusingDevice quantizing({.activation = DType::kQ8Row32});
  const Graph graph = block(project(x_, "gate", DType::kQ8_0), project(x_, "up", DType::kQ4_0));
  test::register_weights(graph, quantizing);
  Backend* const devices[] = {&quantizing};
  const Graph fused = compile(graph, devices, {.verify = true})->graph();
  EXPECT_EQ(test::count<FusedFFN>(fused), 1);
  EXPECT_EQ(test::count<Quantize>(fused), 1);
}

TEST_F(FusedFfnRule, KeepsProductsOfTwoInputs) {
  const Value other = input(builder_, "other", {32, 3});
  const Graph fused = fuse(block(project(x_, "gate"), project(other, "up")));
  EXPECT_EQ(test::count<FusedFFN>(fused), 0);
  EXPECT_EQ(test::count<SwiGLU>(fused), 1);
}

TEST_F(FusedFfnRule, KeepsAProductThatIsReadElsewhere) {
  const Value up = project(x_, "up");
  builder_.mark_output(builder_.add(Scale{2}, {up}, {}, "other"));
  EXPECT_EQ(test::count<FusedFFN>(fuse(block(project(x_, "gate"), up))), 0);
}

TEST_F(FusedFfnRule, KeepsOneProductUsedTwice) {
  const Value both = project(x_, "both");
  EXPECT_EQ(test::count<FusedFFN>(fuse(block(both, both))), 0);
}

TEST_F(FusedFfnRule, IsUndoneByItsOption) {
  const Graph fused =
      fuse(block(project(x_, "gate"), project(x_, "up")), {.fuse_ffn = false, .verify = true});
  EXPECT_EQ(test::count<FusedFFN>(fused), 0);
  EXPECT_EQ(test::count<SwiGLU>(fused), 1) << "the option undoes this rule alone";
}

TEST_F(FusedFfnRule, KeepsWhatTheDeviceDoesNotFuse) {
  device_.without = {FusedKind::kFusedFFN};
  EXPECT_EQ(test::count<FusedFFN>(fuse(block(project(x_, "gate"), project(x_, "up")))), 0);
}

}  // namespace
}  // namespace minfer
