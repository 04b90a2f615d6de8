#include "graph/graph_editor.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/test_graphs.h"
#include "minfer/error.h"

namespace minfer {
namespace {

// x -> a -> b -> sum(a, b)
class GraphEditorTest : public testing::Test {
 protected:
  GraphEditorTest() {
    GraphBuilder builder(test::kTestModel);
    const Value x = builder.add(Input{InputRole::kOther, {DType::kF32, {8}}}, {}, {}, "x");
    const Value a = builder.add(Silu{}, {x}, {}, "a");
    const Value b = builder.add(Silu{}, {a}, {}, "b");
    builder.mark_output(builder.add(Add{}, {a, b}, {}, "sum"));
    graph_ = std::move(builder).finish();
  }
  std::vector<std::string> labels() const {
    std::vector<std::string> result;
    for (const Node& node : graph_.nodes) result.push_back(node.label);
    return result;
  }
  static Node scale(NodeId input) { return {Scale{2}, {DType::kF32, {8}}, {input}, {}, "scale", -1}; }

  Graph graph_;
};

TEST_F(GraphEditorTest, KnowsWhoReadsAValue) {
  const GraphEditor editor(graph_);
  EXPECT_EQ(editor.users(1).size(), 2u);
  EXPECT_EQ(editor.only_user(1), -1);
  EXPECT_EQ(editor.only_user(2), 3);
  EXPECT_EQ(editor.only_user(3), -1) << "an output has a reader outside";
}

TEST_F(GraphEditorTest, ChangesNothingByItself) {
  GraphEditor(graph_).commit();
  EXPECT_EQ(labels(), (std::vector<std::string>{"x", "a", "b", "sum"}));
}

TEST_F(GraphEditorTest, OrdersAnInsertedNodeBeforeItsReader) {
  GraphEditor editor(graph_);
  editor.set_input(3, 0, editor.insert(scale(1), 3));
  editor.commit();
  EXPECT_EQ(labels(), (std::vector<std::string>{"x", "a", "b", "scale", "sum"}));
  EXPECT_EQ(graph_.nodes[4].inputs, (std::vector<NodeId>{3, 2}));
}

TEST_F(GraphEditorTest, ReplacesANodeThatIsReadTwiceAndAnOutput) {
  GraphEditor editor(graph_);
  editor.replace_uses(1, editor.insert(scale(0), 1));
  editor.erase(1);
  editor.replace_uses(3, 2);
  editor.erase(3);
  editor.commit();
  EXPECT_EQ(labels(), (std::vector<std::string>{"x", "scale", "b"}));
  EXPECT_EQ(graph_.outputs, std::vector<NodeId>{2});
}

TEST_F(GraphEditorTest, RefusesToEraseWhatIsRead) {
  GraphEditor editor(graph_);
  EXPECT_THROW(editor.erase(1), InternalError);
  EXPECT_THROW(editor.erase(3), InternalError);
}

TEST_F(GraphEditorTest, RefusesACycle) {
  GraphEditor editor(graph_);
  editor.set_input(1, 0, 2);
  EXPECT_THROW(editor.commit(), InternalError);
}

}  // namespace
}  // namespace minfer
