#include "graph/pass.h"

#include <gtest/gtest.h>

#include <thread>

#include "graph/compiled_graph.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"
#include "minfer/error.h"

namespace minfer {
namespace {

class PassTest : public testing::Test {
 protected:
  PassTest() {
    state_.graph = test::make_transformer();
    state_.options = &options_;
  }
  Pass counting(std::string_view name, bool optional) {
    return {name, optional, Stage::kBuilt, [this](CompileState&) { return ++runs_; }};
  }

  CompileOptions options_{.verify = true};
  CompileState state_;
  int runs_ = 0;
};

TEST_F(PassTest, ReportsWhatRanAndHowLong) {
  const Pass slow{"slow", true, Stage::kBuilt, [](CompileState&) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(2));
                    return 3;
                  }};
  run_passes(std::vector<Pass>{counting("first", false), slow}, {}, state_);
  ASSERT_EQ(state_.report.passes.size(), 2u);
  EXPECT_EQ(state_.report.passes[0].name, "first");
  EXPECT_EQ(state_.report.passes[1].changes, 3);
  EXPECT_GE(state_.report.passes[1].seconds, 0.002);
}

TEST_F(PassTest, LeavesOutWhatIsDisabled) {
  const std::vector<std::string> disabled{"second"};
  run_passes(std::vector<Pass>{counting("first", false), counting("second", true)}, disabled, state_);
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(state_.report.passes.size(), 1u);
}

TEST_F(PassTest, RefusesToLeaveOutWhatIsNeededOrUnknown) {
  const std::vector<Pass> passes{counting("first", false)};
  EXPECT_THROW(run_passes(passes, std::vector<std::string>{"first"}, state_), InvalidRequestError);
  EXPECT_THROW(run_passes(passes, std::vector<std::string>{"frist"}, state_), InvalidRequestError);
  EXPECT_EQ(runs_, 0);
}

TEST_F(PassTest, NamesThePassThatBreaksTheGraph) {
  const Pass broken{"broken", true, Stage::kBuilt, [](CompileState& state) {
                      state.graph.nodes.back().out.dtype = DType::kF16;
                      return 1;
                    }};
  try {
    run_passes(std::vector<Pass>{counting("first", false), broken}, {}, state_);
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("after pass broken"), std::string::npos) << error.what();
  }
}

TEST(Passes, AreNamedInOrder) {
  std::vector<std::string_view> names;
  for (const PassName& pass : pass_names()) names.push_back(pass.name);
  const std::vector<std::string_view> expected{
      "assign", "lower_quantize", "swiglu",   "fused_ffn", "fused_qkv", "matmul_add", "quantize_epilogue",
      "plan",   "schedule",       "liveness", "in_place",  "allocate"};
  EXPECT_EQ(names, expected);
}

TEST(Passes, OptionalOnesCanBeLeftOutOneByOne) {
  for (const PassName& pass : pass_names()) {
    test::StampDevice device;
    Backend* const devices[] = {&device};
    Graph graph = test::make_transformer();
    test::register_weights(graph, device);
    CompileOptions options{.disabled_passes = {std::string(pass.name)}, .verify = true};
    if (pass.optional) {
      EXPECT_EQ(compile(std::move(graph), devices, options)->report().passes.size(), pass_names().size() - 1);
    } else {
      EXPECT_THROW(compile(std::move(graph), devices, options), InvalidRequestError) << pass.name;
    }
  }
}

}  // namespace
}  // namespace minfer
