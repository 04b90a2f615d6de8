#include "graph/fuse/quantize_epilogue.h"

#include "graph/fuse/fuse_test.h"

namespace minfer {
namespace {

class QuantizeEpilogueRule : public test::FuseTest {
 protected:
  QuantizeEpilogueRule() { register_head(); }
  void register_head() {
    x_ = input(builder_, "x", {32, 3});
    norm_ = builder_.add(RmsNorm{1e-6f}, {x_}, {builder_.weight("norm.weight", {DType::kF32, {32}})}, "norm");
  }
  Value product(Value x, const std::string& label, DType type = DType::kQ8_0) {
    return builder_.add(MatMul{}, {x}, {builder_.weight(label + ".weight", {type, {32, 64}})}, label);
  }
  Graph fuse_quantizing(Graph graph) {
    test::register_weights(graph, quantizing_);
    Backend* const devices[] = {&quantizing_};
    return compile(std::move(graph), devices, {.verify = true})->graph();
  }

  GraphBuilder builder_{test::kTestModel};
  Value x_, norm_;
  test::FusingDevice quantizing_{{.activation = DType::kQ8Row32}};
};

TEST_F(QuantizeEpilogueRule, MakesANormQuantizeItsResult) {
  builder_.mark_output(product(norm_, "y"));
  Graph fused = fuse_quantizing(std::move(builder_).finish());
  EXPECT_EQ(test::count<Quantize>(fused), 0);
  EXPECT_EQ(std::get<RmsNorm>(node(fused, "norm").op).output, DType::kQ8Row32);
  EXPECT_EQ(node(fused, "norm").out.dtype, DType::kQ8Row32);
}

TEST_F(QuantizeEpilogueRule, ServesAllProductsThatReadTheOneQuantize) {
  builder_.mark_output(product(norm_, "y"));
  builder_.mark_output(product(norm_, "z"));
  EXPECT_EQ(test::count<Quantize>(fuse_quantizing(std::move(builder_).finish())), 0);
}

TEST_F(QuantizeEpilogueRule, KeepsANormThatIsReadAsFloatToo) {
  builder_.mark_output(product(norm_, "y"));
  builder_.mark_output(builder_.add(Scale{2}, {norm_}, {}, "other"));
  Graph fused = fuse_quantizing(std::move(builder_).finish());
  EXPECT_EQ(test::count<Quantize>(fused), 1);
  EXPECT_EQ(std::get<RmsNorm>(node(fused, "norm").op).output, DType::kF32);
}

TEST_F(QuantizeEpilogueRule, KeepsANormThatIsAnOutput) {
  builder_.mark_output(product(norm_, "y"));
  builder_.mark_output(norm_);
  EXPECT_EQ(test::count<Quantize>(fuse_quantizing(std::move(builder_).finish())), 1);
}

TEST_F(QuantizeEpilogueRule, KeepsAProducerWithoutEpilogue) {
  builder_.mark_output(product(builder_.add(Scale{2}, {x_}, {}, "scale"), "y"));
  EXPECT_EQ(test::count<Quantize>(fuse_quantizing(std::move(builder_).finish())), 1);
}

TEST_F(QuantizeEpilogueRule, KeepsWhatTheDeviceDoesNotFuse) {
  quantizing_.without = {FusedKind::kQuantizeEpilogue};
  builder_.mark_output(product(norm_, "y"));
  EXPECT_EQ(test::count<Quantize>(fuse_quantizing(std::move(builder_).finish())), 1);
}

TEST_F(QuantizeEpilogueRule, ReachesFusedFeedForward) {
  Graph fused = fuse_quantizing(test::make_transformer({.weights = DType::kQ8_0}));
  EXPECT_EQ(std::get<FusedFFN>(node(fused, "blk.0.ffn_mul").op).output, DType::kQ8Row32);
  EXPECT_EQ(test::count<Quantize>(fused), 0) << "attention's result has an epilogue too";
}

TEST_F(QuantizeEpilogueRule, ReachesSwiglu) {
  quantizing_.without = {FusedKind::kFusedFFN};
  Graph fused = fuse_quantizing(test::make_transformer({.weights = DType::kQ8_0}));
  EXPECT_EQ(std::get<SwiGLU>(node(fused, "blk.0.ffn_mul").op).output, DType::kQ8Row32);
}

}  // namespace
}  // namespace minfer
