#include "graph/fuse/matmul_add.h"

#include "graph/fuse/fuse_test.h"

namespace minfer {
namespace {

class MatmulAddRule : public test::FuseTest {
 protected:
  MatmulAddRule() {
    x_ = input(builder_, "x", {64, 3});
    residual_ = input(builder_, "residual", {32, 3});
    weight_ = builder_.weight("w", {DType::kF32, {64, 32}});
    product_ = builder_.add(MatMul{}, {x_}, {weight_}, "blk.0.attn_output");
  }
  Graph sum(Value a, Value b) {
    builder_.mark_output(builder_.add(Add{}, {a, b}, {}, "sum"));
    return std::move(builder_).finish();
  }

  GraphBuilder builder_{test::kTestModel};
  Value x_, residual_, product_;
  WeightId weight_ = 0;
};

TEST_F(MatmulAddRule, FusesAProductAndASum) {
  const Graph fused = fuse(sum(product_, residual_));
  ASSERT_EQ(fused.nodes.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<MatMulAdd>(fused.nodes[2].op));
  EXPECT_EQ(fused.nodes[2].inputs, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(fused.nodes[2].label, "blk.0.attn_output");
  EXPECT_EQ(fused.outputs, std::vector<NodeId>{2});
}

TEST_F(MatmulAddRule, FusesTermsInTheOtherOrder) {
  const Graph fused = fuse(sum(residual_, product_));
  ASSERT_EQ(test::count<MatMulAdd>(fused), 1);
  EXPECT_EQ(fused.nodes[2].inputs, (std::vector<NodeId>{0, 1})) << "the activations come first all the same";
}

TEST_F(MatmulAddRule, KeepsAProductThatIsReadElsewhere) {
  builder_.mark_output(builder_.add(Scale{2}, {product_}, {}, "other"));
  EXPECT_EQ(test::count<MatMulAdd>(fuse(sum(product_, residual_))), 0);
}

TEST_F(MatmulAddRule, KeepsAProductThatIsAnOutput) {
  builder_.mark_output(product_);
  EXPECT_EQ(test::count<MatMulAdd>(fuse(sum(product_, residual_))), 0);
}

TEST_F(MatmulAddRule, KeepsTheDoubleOfAProduct) {
  EXPECT_EQ(test::count<MatMulAdd>(fuse(sum(product_, product_))), 0);
}

TEST_F(MatmulAddRule, KeepsASumWithABias) {
  const WeightId bias = builder_.weight("bias", {DType::kF32, {32}});
  builder_.mark_output(builder_.add(Add{}, {product_}, {bias}, "sum"));
  EXPECT_EQ(test::count<MatMulAdd>(fuse(std::move(builder_).finish())), 0);
}

TEST_F(MatmulAddRule, KeepsWhatTheDeviceDoesNotFuse) {
  device_.without = {FusedKind::kMatMulAdd};
  EXPECT_EQ(test::count<MatMulAdd>(fuse(sum(product_, residual_))), 0);
}

}  // namespace
}  // namespace minfer
