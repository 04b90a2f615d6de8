#include "graph/reuse.h"

#include <gtest/gtest.h>

#include "graph/scheduler.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"
#include "support/data.h"

namespace minfer {
namespace {

class ReuseTest : public testing::Test {
 protected:
  ReuseTest() { test::register_weights(test::make_transformer(), device_); }
  CompiledGraph& get(GraphCache& cache, std::int64_t n_tokens, ModelId model = test::kTestModel) {
    GraphParams params{.model = model, .n_tokens = n_tokens, .n_logit_rows = n_tokens};
    return cache.get(params, [&] { return test::make_transformer({.n_tokens = n_tokens}); });
  }

  test::StampDevice device_;
  std::vector<Backend*> devices_{&device_};
  CompileOptions options_{.verify = true};
};

TEST_F(ReuseTest, AlternatingPrefillAndDecodeBuildsTwoGraphs) {
  GraphCache cache(devices_, options_);
  for (int step = 0; step < 50; ++step) get(cache, step % 3 == 0 ? 64 : 1);
  EXPECT_EQ(cache.builds(), 2);
  EXPECT_EQ(cache.hits(), 48);
}

TEST_F(ReuseTest, DropsTheLeastRecentlyUsed) {
  GraphCache cache(devices_, options_, 2);
  get(cache, 1);
  get(cache, 2);
  get(cache, 1);
  get(cache, 3);  // 2 goes
  EXPECT_EQ(cache.builds(), 3);
  EXPECT_EQ(cache.size(), 2u);
  get(cache, 1);
  EXPECT_EQ(cache.builds(), 3);
  get(cache, 2);
  EXPECT_EQ(cache.builds(), 4);
}

TEST_F(ReuseTest, EveryParameterCounts) {
  GraphCache cache(devices_, options_, 32);
  const GraphParams base{.model = test::kTestModel, .n_tokens = 1};
  std::vector<GraphParams> all(10, base);
  all[1].model = 8;
  all[2].n_tokens = 2;
  all[3].n_logit_rows = 1;
  all[4].n_slots = 1;
  all[5].max_pages = 1;
  all[6].kv_cell = DType::kQ8_0;
  all[7].fuse_qkv = false;
  all[8].fuse_ffn = false;
  all[9].gpu = false;
  for (const GraphParams& params : all) cache.get(params, [] { return test::make_transformer(); });
  EXPECT_EQ(cache.builds(), 10);
  for (const GraphParams& params : all) cache.get(params, [] { return test::make_transformer(); });
  EXPECT_EQ(cache.builds(), 10);
}

TEST_F(ReuseTest, ParametersUndoFusions) {
  GraphCache cache(devices_, options_);
  const auto build = [] { return test::make_transformer(); };
  EXPECT_EQ(test::count<FusedQKV>(cache.get({.fuse_qkv = true}, build).graph()), 1);
  EXPECT_EQ(test::count<FusedQKV>(cache.get({.fuse_qkv = false}, build).graph()), 0);
  EXPECT_EQ(test::count<FusedFFN>(cache.get({.fuse_ffn = false}, build).graph()), 0);
}

TEST_F(ReuseTest, GraphsShareOneArenaAndFollowItWhenItGrows) {
  GraphCache cache(devices_, options_);
  CompiledGraph& small = get(cache, 1);
  const std::uint64_t old_id = small.splits()[0].split.graph_id;
  CompiledGraph& large = get(cache, 64);
  EXPECT_EQ(cache.arena().bytes(0), large.arena_bytes(0));
  const test::NoKv kv;
  for (CompiledGraph* graph : {&small, &large, &small}) {
    device_.watch(*graph);
    test::write_stamps(*graph);
    run(*graph, {.kv = &kv});
    EXPECT_TRUE(device_.holds(graph->graph().outputs[0], graph->outputs()[0].ref));
  }
  EXPECT_NE(small.splits()[0].split.graph_id, old_id) << "what a device recorded of it holds no more";
}

TEST_F(ReuseTest, ForgetsTheGraphsOfAModel) {
  GraphCache cache(devices_, options_);
  get(cache, 1);
  get(cache, 1, 8);
  cache.forget(test::kTestModel);
  EXPECT_EQ(cache.size(), 1u);
  get(cache, 1, 8);
  EXPECT_EQ(cache.builds(), 2);
}

TEST_F(ReuseTest, StartsTheDumpFileAnewAndAppendsEachGraph) {
  options_.dump_path = (test::scratch_folder() / "graphs.txt").string();
  for (int repeat = 0; repeat < 2; ++repeat) {
    GraphCache cache(devices_, options_);
    get(cache, 1);
    get(cache, 2);
  }
  const std::string text = test::read_text(options_.dump_path);
  std::size_t graphs = 0;
  for (std::size_t at = text.find("outputs:"); at != std::string::npos; at = text.find("outputs:", at + 1))
    ++graphs;
  EXPECT_EQ(graphs, 2u);
}

}  // namespace
}  // namespace minfer
