// Liveness, in-place aliasing and placement together: whatever the graph, every node finds its inputs intact.
#include <gtest/gtest.h>

#include "graph/compile.h"
#include "graph/random_graphs.h"
#include "graph/scheduler.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"

namespace minfer {
namespace {

using test::StampDevice;

struct TwoDevices {
  StampDevice first, second;
  std::vector<Backend*> list{&first, &second};

  TwoDevices(const NullOptions& options, StampDevice::Claim claims)
      : first(named(options, "first"), std::move(claims)), second(named(options, "second")) {}
  static NullOptions named(NullOptions options, const char* name) {
    options.name = name;
    return options;
  }
};

void expect_memory_is_right(const Graph& graph, TwoDevices& devices, const CompileOptions& options) {
  for (Backend* device : devices.list) test::register_weights(graph, *device);
  const auto compiled = compile(graph, devices.list, options);
  Arena arena(devices.list);
  compiled->bind(arena);
  devices.first.watch(*compiled);
  devices.second.watch(*compiled);
  test::write_stamps(*compiled);
  for (int repeat = 0; repeat < 2; ++repeat) {  // inputs are still there for the second run
    run(*compiled, {});
    for (std::size_t i = 0; i < compiled->outputs().size(); ++i) {
      const Home& home = compiled->outputs()[i];
      auto& device = static_cast<StampDevice&>(compiled->device(home.device));
      EXPECT_TRUE(device.holds(compiled->graph().outputs[i], home.ref)) << "output " << i;
    }
  }
}

bool is_smooth(const Op& op) { return !std::holds_alternative<Add>(op) && !std::holds_alternative<Silu>(op); }

constexpr std::uint32_t kSeeds = 60;

TEST(RandomGraphs, KeepEveryValueUntilItsLastReader) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = test::make_random_graph(seed, 40);
    for (const bool in_place : {true, false}) {
      TwoDevices devices({.activation = DType::kQ8Row32}, [](const Op&) { return true; });
      devices.first.workspace_bytes = seed % 3 * 100;
      CompileOptions options{.verify = true};
      if (!in_place) options.disabled_passes = {"in_place"};
      expect_memory_is_right(graph, devices, options);
    }
  }
}

TEST(RandomGraphs, KeepEveryValueAcrossTwoDevices) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = test::make_random_graph(seed, 40);
    for (const bool host_addressable : {true, false}) {
      TwoDevices devices({.activation = DType::kQ8Row32, .host_addressable = host_addressable}, is_smooth);
      expect_memory_is_right(graph, devices, {.verify = true});
    }
  }
}

// Peak memory of a chain: two buffers where nothing may be done in place, one where everything may.
TEST(Memory, ChainTakesTheRoomOfItsWidestPoint) {
  GraphBuilder builder(test::kTestModel);
  const Value input = builder.add(Input{InputRole::kOther, {DType::kF32, {64, 4}}}, {}, {}, "x");
  Value x = builder.add(Scale{2}, {input}, {}, "first");
  for (int i = 0; i < 10; ++i) x = builder.add(Scale{2}, {x}, {}, "scale" + std::to_string(i));
  builder.mark_output(x);
  const Graph graph = std::move(builder).finish();
  StampDevice device;
  Backend* const list[] = {&device};
  const std::size_t tensor = 64 * 4 * 4;
  EXPECT_EQ(compile(graph, list, {.verify = true})->arena_bytes(0), 2 * tensor)
      << "the input, and one in place";
  CompileOptions options{.verify = true};
  options.disabled_passes = {"in_place"};
  EXPECT_EQ(compile(graph, list, options)->arena_bytes(0), 3 * tensor);
}

TEST(Memory, GrowsNeitherWithLayersNorWithPasses) {
  StampDevice device;
  Backend* const list[] = {&device};
  std::vector<std::size_t> bytes;
  for (int layers : {2, 8}) {
    const Graph graph = test::make_transformer({.n_layers = layers});
    test::register_weights(graph, device);
    bytes.push_back(compile(graph, list, {.verify = true})->arena_bytes(0));
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

}  // namespace
}  // namespace minfer
