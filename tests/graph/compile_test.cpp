#include "graph/compile.h"

#include <gtest/gtest.h>

#include "backends/null/null_backend.h"
#include "graph/dump.h"
#include "graph/scheduler.h"
#include "graph/test_graphs.h"
#include "minfer/error.h"

namespace minfer {
namespace {

using test::BlockOptions;
using test::make_transformer;

class CompileTest : public testing::Test {
 protected:
  std::unique_ptr<CompiledGraph> compile_transformer(const BlockOptions& block, CompileOptions options = {}) {
    Graph graph = make_transformer(block);
    test::register_weights(graph, device_);
    options.verify = true;
    return compile(std::move(graph), devices_, options);
  }

  NullBackend device_{{.activation = DType::kQ8Row32}};
  std::vector<Backend*> devices_{&device_};
};

TEST_F(CompileTest, DumpsEveryNodeWithDeviceAndKernel) {
  const auto graph = compile_transformer({.weights = DType::kQ8_0});
  EXPECT_NE(dump_text(*graph).find("<null: null MatMul>"), std::string::npos);
}

TEST_F(CompileTest, RunsOnMemoryOfAnArena) {
  const auto graph = compile_transformer({});
  Arena arena(devices_);
  graph->bind(arena);
  EXPECT_EQ(arena.bytes(0), graph->arena_bytes(0));
  const std::vector<std::int32_t> tokens{1, 2, 3};
  write_input(*graph, InputRole::kTokens, tokens);
  EXPECT_THROW(run(*graph, {}), InternalError) << "no KV cache";
  const test::NoKv kv;
  run(*graph, {.kv = &kv});
  std::vector<float> logits(3 * 160);
  read_output(*graph, 0, logits);
  EXPECT_NE(output_view(*graph, 0), nullptr);
}

}  // namespace
}  // namespace minfer
