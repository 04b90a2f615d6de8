#include "graph/builder.h"

#include <gtest/gtest.h>

#include "graph/dump.h"
#include "graph/test_graphs.h"
#include "minfer/error.h"

namespace minfer {
namespace {

class BuilderTest : public testing::Test {
 protected:
  Value input(const std::string& label, Shape shape) {
    return builder_.add(Input{InputRole::kOther, {DType::kF32, shape}}, {}, {}, label);
  }
  GraphBuilder builder_{test::kTestModel};
};

TEST_F(BuilderTest, InfersResults) {
  const Value x = input("x", {64, 3});
  const WeightId w = builder_.weight("w", {DType::kQ4_0, {64, 10}});
  const Value y = builder_.add(MatMul{}, {x}, {w}, "y");
  EXPECT_EQ(builder_.desc(y), (TensorDesc{DType::kF32, {10, 3}}));
  builder_.mark_output(y);
  const Graph graph = std::move(builder_).finish();
  EXPECT_EQ(graph.model, test::kTestModel);
  EXPECT_EQ(graph.outputs, std::vector<NodeId>{y.id});
  EXPECT_EQ(graph.nodes[1].label, "y");
}

TEST_F(BuilderTest, GivesATensorOneId) {
  const TensorDesc desc{DType::kF32, {8}};
  EXPECT_EQ(builder_.weight("a", desc), builder_.weight("a", desc));
  EXPECT_NE(builder_.weight("a", desc), builder_.weight("b", desc));
  EXPECT_THROW(builder_.weight("a", {DType::kF32, {9}}), InternalError);
}

TEST_F(BuilderTest, NamesTheNodeWhoseOperandsDoNotFit) {
  const Value x = input("x", {64, 3});
  const Value y = input("y", {32, 3});
  try {
    builder_.add(Add{}, {x, y}, {}, "blk.0.sum");
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("blk.0.sum"), std::string::npos) << error.what();
  }
  EXPECT_THROW(builder_.add(Silu{}, {Value{7}}, {}, "silu"), InternalError);
  EXPECT_THROW(builder_.mark_output(Value{}), InternalError);
}

TEST(Dump, WritesALineANode) {
  const std::string text = dump_text(test::make_transformer());
  EXPECT_NE(text.find("%0 = Input() -> i32 (3)  tokens\n"), std::string::npos) << text;
  EXPECT_NE(text.find("= MatMul(%7) [blk.0.attn_q.weight f32 (64, 64)] -> f32 (3, 64)  blk.0.attn_q\n"),
            std::string::npos)
      << text;
}

TEST(Dump, WritesGraphviz) {
  const std::string text = dump_dot(test::make_transformer());
  EXPECT_TRUE(text.starts_with("digraph minfer {")) << text;
  EXPECT_NE(text.find("n7 -> n8;"), std::string::npos) << text;
}

}  // namespace
}  // namespace minfer
