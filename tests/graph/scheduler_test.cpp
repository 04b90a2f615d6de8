#include "graph/scheduler.h"

#include <gtest/gtest.h>

#include <cstring>

#include "graph/allocation_count.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"
#include "minfer/error.h"

namespace minfer {
namespace {

using test::StampDevice;
using Log = std::vector<std::string>;

// x -> a (first) -> b (second), c = b + a (second) -> d (first), with both a and b read on the other side.
class SchedulerTest : public testing::Test {
 protected:
  SchedulerTest() {
    GraphBuilder builder(test::kTestModel);
    const Value x = builder.add(Input{InputRole::kOther, {DType::kF32, {16, 2}}}, {}, {}, "x");
    const Value a = builder.add(Scale{2}, {x}, {}, "a");
    const Value b = builder.add(Silu{}, {a}, {}, "b");
    const Value c = builder.add(Silu{}, {a}, {}, "c");
    const Value d = builder.add(Add{}, {b, c}, {}, "d");
    builder.mark_output(builder.add(Mul{}, {d, x}, {}, "e"));
    compiled_ = compile(std::move(builder).finish(), devices_, {.fuse = false, .verify = true});
    compiled_->bind(arena_);
    first_.watch(*compiled_);
    second_.watch(*compiled_);
    test::write_stamps(*compiled_);
    clear_logs();
  }
  void clear_logs() {
    first_.log.clear();
    second_.log.clear();
  }

  StampDevice first_{{.name = "first"}, [](const Op& op) { return !std::holds_alternative<Silu>(op); }};
  StampDevice second_{{.name = "second"}};
  std::vector<Backend*> devices_{&first_, &second_};
  Arena arena_{devices_};
  std::unique_ptr<CompiledGraph> compiled_;
};

TEST_F(SchedulerTest, RunsSplitsInOrderAndCopiesEachValueOnce) {
  run(*compiled_, {});
  EXPECT_EQ(second_.log, (Log{"write", "begin", "b", "c", "end"})) << "a is copied once for both";
  EXPECT_EQ(first_.log, (Log{"begin", "a", "end", "write", "write", "begin", "d", "e", "end"}));
}

TEST_F(SchedulerTest, SplitsAreMaximalRunsOfADevice) {
  ASSERT_EQ(compiled_->splits().size(), 3u);
  EXPECT_EQ(compiled_->splits()[0].split.first, 0);
  EXPECT_EQ(compiled_->splits()[2].split.last, 5);
  for (const BoundSplit& split : compiled_->splits())
    EXPECT_EQ(split.split.graph_id, compiled_->splits()[0].split.graph_id);
}

TEST_F(SchedulerTest, ExecutesNothingOfAReplayedSplit) {
  second_.replays = true;
  run(*compiled_, {});
  EXPECT_EQ(second_.log, (Log{"write", "begin", "end"}));
}

class Recorder : public Observer {
 public:
  void before(const NodeEvent& event) override { log.push_back("before " + event.node.node->label); }
  void after(const NodeEvent& event) override { log.push_back("after " + event.node.node->label); }
  Log log;
};

TEST_F(SchedulerTest, ObserverSeesEveryNodeAlsoOfDevicesThatReplay) {
  second_.replays = true;
  Recorder recorder;
  run(*compiled_, {.observer = &recorder});
  EXPECT_EQ(recorder.log, (Log{"before a", "after a", "before b", "after b", "before c", "after c",
                               "before d", "after d", "before e", "after e"}));
}

TEST_F(SchedulerTest, AbortsTheSplitThatFails) {
  second_.throw_at = "c";
  EXPECT_THROW(run(*compiled_, {}), DeviceError);
  EXPECT_EQ(second_.log, (Log{"write", "begin", "b", "c", "abort"}));
  second_.throw_at.clear();
  EXPECT_NO_THROW(run(*compiled_, {})) << "the graph is whole";
}

// Requests a stop at a node.
class Stopper : public Observer {
 public:
  void after(const NodeEvent& event) override {
    if (event.node.node->label == "b") source.request_stop();
  }
  std::stop_source source;
};

TEST_F(SchedulerTest, StopsBetweenNodes) {
  Stopper stopper;
  EXPECT_THROW(run(*compiled_, {.stop = stopper.source.get_token(), .observer = &stopper}), CancelledError);
  EXPECT_EQ(second_.log, (Log{"write", "begin", "b", "abort"}));
  clear_logs();
  EXPECT_THROW(run(*compiled_, {.stop = stopper.source.get_token()}), CancelledError);
  EXPECT_TRUE(first_.log.empty()) << "stopped before the first node";
}

TEST_F(SchedulerTest, WritesAnInputOnEveryDeviceThatReadsIt) {
  GraphBuilder builder(test::kTestModel);
  const Value x = builder.add(Input{InputRole::kOther, {DType::kF32, {4}}}, {}, {}, "x");
  builder.mark_output(builder.add(Scale{2}, {x}, {}, "a"));
  builder.mark_output(builder.add(Silu{}, {x}, {}, "b"));
  const auto graph = compile(std::move(builder).finish(), devices_, {.verify = true});
  graph->bind(arena_);
  clear_logs();
  const std::vector<float> values(4);
  write_input(*graph, "x", std::as_bytes(std::span(values)));
  EXPECT_EQ(first_.log, Log{"write"});
  EXPECT_EQ(second_.log, Log{"write"});
}

TEST_F(SchedulerTest, RefusesInputsThatDoNotFit) {
  const std::vector<std::byte> bytes(16 * 2 * 4 + 1);
  EXPECT_THROW(write_input(*compiled_, "x", bytes), InternalError);
  EXPECT_THROW(write_input(*compiled_, "y", {}), InternalError);
  EXPECT_FALSE(has_input(*compiled_, InputRole::kTokens));
  EXPECT_THROW(write_input(*compiled_, InputRole::kTokens, {}), InternalError);
}

TEST_F(SchedulerTest, ReadsOutputsWholeOrInPart) {
  run(*compiled_, {});
  std::vector<float> values(32), part(3);
  read_output(*compiled_, 0, values);
  read_output(*compiled_, 0, part, 16);
  EXPECT_EQ(std::memcmp(part.data(), values.data() + 16, 12), 0);
  EXPECT_EQ(std::memcmp(output_view(*compiled_, 0), values.data(), 128), 0);
  EXPECT_THROW(read_output(*compiled_, 0, part, 30), InternalError);
  EXPECT_THROW(read_output(*compiled_, 1, part), InternalError);
}

TEST(Scheduler, NeedsMemoryBeforeItRuns) {
  NullBackend device;
  Backend* const devices[] = {&device};
  const Graph graph = test::make_transformer();
  test::register_weights(graph, device);
  EXPECT_THROW(run(*compile(graph, devices, {}), {}), InternalError);
}

// Also with copies through host memory, on devices whose memory is their own.
TEST(Scheduler, AllocatesNothingWhileItRuns) {
  const Graph graph = test::make_transformer({.n_layers = 2, .weights = DType::kQ8_0});
  class WithoutAttention : public NullBackend {
   public:
    using NullBackend::NullBackend;
    Plan plan(const NodeSpec& spec) const override {
      Plan plan = NullBackend::plan(spec);
      plan.supported = plan.supported && !kv(*spec.op);
      return plan;
    }
    static bool kv(const Op& op) {
      return std::holds_alternative<Attn>(op) || std::holds_alternative<KvStore>(op);
    }
  };
  WithoutAttention first({.activation = DType::kQ8Row32, .host_addressable = false});
  NullBackend second({.host_addressable = false});
  Backend* const devices[] = {&first, &second};
  for (Backend* device : devices) test::register_weights(graph, *device);
  const auto compiled = compile(graph, devices, {.verify = true});
  Arena arena(devices);
  compiled->bind(arena);
  ASSERT_EQ(compiled->splits().size(), 5u);
  const test::NoKv kv;
  const std::vector<std::int32_t> tokens(3);
  const std::size_t before = test::allocation_count();
  write_input(*compiled, InputRole::kTokens, tokens);
  run(*compiled, {.kv = &kv});
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace minfer
