#include "graph/in_place.h"

#include <gtest/gtest.h>

#include "graph/compiled_graph.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"

namespace minfer {
namespace {

// x -> a = Scale(x) -> ..., compiled without fusion; asks whether a node writes over its first input.
class InPlaceTest : public testing::Test {
 protected:
  Value input(Shape shape = {16, 4}) {
    return builder_.add(Input{InputRole::kOther, {DType::kF32, shape}}, {}, {}, "x");
  }
  Value scale(Value x, const std::string& label) { return builder_.add(Scale{2}, {x}, {}, label); }

  bool writes_over_first_input(const std::string& label) {
    Backend* const devices[] = {&device_};
    const Graph graph = std::move(builder_).finish();
    test::register_weights(graph, device_);
    const auto compiled = compile(graph, devices, {.fuse = false, .verify = true});
    Arena arena(devices);
    compiled->bind(arena);
    for (const Step& step : compiled->steps())
      if (step.planned.node->label == label)
        return step.buffers.output.offset == step.buffers.inputs[0].offset;
    ADD_FAILURE() << "no node " << label;
    return false;
  }

  GraphBuilder builder_{test::kTestModel};
  test::StampDevice device_;
};

TEST_F(InPlaceTest, TakesOverAnInputThatDies) {
  builder_.mark_output(scale(scale(input(), "a"), "b"));
  EXPECT_TRUE(writes_over_first_input("b"));
}

TEST_F(InPlaceTest, LeavesGraphInputsAlone) {
  builder_.mark_output(scale(input(), "a"));
  EXPECT_FALSE(writes_over_first_input("a"));
}

TEST_F(InPlaceTest, LeavesOutputsAlone) {
  const Value a = scale(input(), "a");
  builder_.mark_output(a);
  builder_.mark_output(scale(a, "b"));
  EXPECT_FALSE(writes_over_first_input("b"));
}

TEST_F(InPlaceTest, LeavesAnInputAloneThatIsReadLater) {
  const Value a = scale(input(), "a");
  const Value b = scale(a, "b");
  builder_.mark_output(builder_.add(Add{}, {b, a}, {}, "sum"));
  EXPECT_FALSE(writes_over_first_input("b"));
}

TEST_F(InPlaceTest, LeavesAnInputAloneThatAViewOfItReadsLater) {
  const Value a = scale(input(), "a");
  const Value view = builder_.add(View{1, 2}, {a}, {}, "view");
  builder_.mark_output(scale(a, "b"));
  builder_.mark_output(scale(view, "c"));
  EXPECT_FALSE(writes_over_first_input("b"));
}

TEST_F(InPlaceTest, LeavesAnInputAloneThatTheNodeReadsTwice) {
  const Value a = scale(input(), "a");
  builder_.mark_output(builder_.add(Mul{}, {a, a}, {}, "square"));
  EXPECT_FALSE(writes_over_first_input("square"));
}

TEST_F(InPlaceTest, LeavesAViewOfAPartAlone) {
  const Value part = builder_.add(View{0, 2}, {scale(input(), "a")}, {}, "view");
  builder_.mark_output(scale(part, "b"));
  EXPECT_FALSE(writes_over_first_input("b"));
}

TEST_F(InPlaceTest, TakesOverAReshapedInput) {
  const Value a = scale(input(), "a");
  builder_.mark_output(scale(builder_.add(Reshape{{64}}, {a}, {}, "reshape"), "b"));
  EXPECT_TRUE(writes_over_first_input("b"));
}

TEST_F(InPlaceTest, LeavesOpsAloneThatDoNotAllowIt) {
  const Value a = scale(input({16, 16}), "a");
  builder_.mark_output(builder_.add(Permute{{1, 0, 2, 3}}, {a}, {}, "transposed"));
  EXPECT_FALSE(writes_over_first_input("transposed"));
}

}  // namespace
}  // namespace minfer
