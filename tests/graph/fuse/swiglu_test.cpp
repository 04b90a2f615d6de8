#include "graph/fuse/swiglu.h"

#include "graph/fuse/fuse_test.h"

namespace minfer {
namespace {

class SwigluRule : public test::FuseTest {
 protected:
  SwigluRule() {
    gate_ = input(builder_, "gate", {32, 3});
    up_ = input(builder_, "up", {32, 3});
    silu_ = builder_.add(Silu{}, {gate_}, {}, "silu");
  }
  Graph product(Value a, Value b) {
    builder_.mark_output(builder_.add(Mul{}, {a, b}, {}, "product"));
    return std::move(builder_).finish();
  }

  GraphBuilder builder_{test::kTestModel};
  Value gate_, up_, silu_;
};

TEST_F(SwigluRule, FusesSiluAndMul) {
  const Graph fused = fuse(product(silu_, up_));
  ASSERT_EQ(fused.nodes.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<SwiGLU>(fused.nodes[2].op));
  EXPECT_EQ(fused.nodes[2].inputs, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(fused.nodes[2].label, "product");
  EXPECT_EQ(fused.outputs, std::vector<NodeId>{2});
}

TEST_F(SwigluRule, FusesFactorsInTheOtherOrder) {
  const Graph fused = fuse(product(up_, silu_));
  ASSERT_EQ(test::count<SwiGLU>(fused), 1);
  EXPECT_EQ(fused.nodes[2].inputs, (std::vector<NodeId>{0, 1})) << "gate comes first all the same";
}

TEST_F(SwigluRule, KeepsASiluThatIsReadElsewhere) {
  builder_.mark_output(builder_.add(Scale{2}, {silu_}, {}, "other"));
  EXPECT_EQ(test::count<SwiGLU>(fuse(product(silu_, up_))), 0);
}

TEST_F(SwigluRule, KeepsASiluThatIsAnOutput) {
  builder_.mark_output(silu_);
  EXPECT_EQ(test::count<SwiGLU>(fuse(product(silu_, up_))), 0);
}

TEST_F(SwigluRule, KeepsTheSquareOfASilu) { EXPECT_EQ(test::count<SwiGLU>(fuse(product(silu_, silu_))), 0); }

TEST_F(SwigluRule, KeepsAProductWithAWeight) {
  const WeightId gain = builder_.weight("gain", {DType::kF32, {32}});
  builder_.mark_output(builder_.add(Mul{}, {silu_}, {gain}, "product"));
  EXPECT_EQ(test::count<SwiGLU>(fuse(std::move(builder_).finish())), 0);
}

TEST_F(SwigluRule, KeepsWhatTheDeviceDoesNotFuse) {
  device_.without = {FusedKind::kSwiGLU};
  EXPECT_EQ(test::count<SwiGLU>(fuse(product(silu_, up_))), 0);
}

TEST_F(SwigluRule, KeepsWhatLiesOnTwoDevices) {
  test::FusingDevice first({.name = "first"}, [](const Op& op) { return std::holds_alternative<Silu>(op); });
  Backend* const devices[] = {&first, &device_};
  EXPECT_EQ(test::count<SwiGLU>(compile(product(silu_, up_), devices, {.verify = true})->graph()), 0);
}

}  // namespace
}  // namespace minfer
