#include "graph/allocate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace minfer {
namespace {

PlannedBuffer buffer(std::size_t bytes, int first, int last) { return {0, bytes, first, last}; }

MemoryPlan random_buffers(std::uint32_t seed, int n) {
  std::mt19937 random(seed);
  const auto below = [&](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); };
  MemoryPlan memory;
  memory.arena_bytes = {0, 0};
  for (int i = 0; i < n; ++i) {
    const int first = below(50);
    memory.buffers.push_back(
        {below(2), static_cast<std::size_t>(64 * (1 + below(20))), first, first + below(12)});
  }
  return memory;
}

// What must be held at the worst step: no placement can do with less.
std::size_t lower_bound(const MemoryPlan& memory, DeviceId device) {
  std::size_t most = 0;
  for (int step = 0; step < 64; ++step) {
    std::size_t alive = 0;
    for (const PlannedBuffer& b : memory.buffers)
      if (b.device == device && b.first <= step && step <= b.last) alive += b.bytes;
    most = std::max(most, alive);
  }
  return most;
}

// Marks every byte at every step, one buffer at a time: a byte that is marked twice belongs to two live
// buffers.
bool is_disjoint(const MemoryPlan& memory, DeviceId device) {
  for (int step = 0; step < 64; ++step) {
    std::vector<bool> taken(memory.arena_bytes[static_cast<std::size_t>(device)] / 64);
    for (const PlannedBuffer& b : memory.buffers) {
      if (b.device != device || step < b.first || step > b.last) continue;
      for (std::size_t unit = b.offset / 64; unit < (b.offset + b.bytes) / 64; ++unit) {
        if (taken.at(unit)) return false;
        taken[unit] = true;
      }
    }
  }
  return true;
}

TEST(Allocate, NeverGivesAByteToTwoLiveBuffers) {
  std::size_t needed = 0, given = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    MemoryPlan memory = random_buffers(seed, 80);
    EXPECT_EQ(place_buffers(memory), 80);
    for (DeviceId device : {0, 1}) {
      EXPECT_TRUE(is_disjoint(memory, device)) << "seed " << seed;
      needed += lower_bound(memory, device);
      given += memory.arena_bytes[static_cast<std::size_t>(device)];
    }
  }
  EXPECT_LT(static_cast<double>(given), 1.1 * static_cast<double>(needed))
      << "close to what is needed at least";
}

TEST(Allocate, PutsABufferIntoTheTightestGap) {
  MemoryPlan memory;
  memory.arena_bytes = {0};
  // From the largest down: 640 at 0, 512 at 640 and 448 at 1152 pin the arena; 384 and 256 die and leave
  // gaps.
  memory.buffers = {buffer(640, 0, 9), buffer(512, 0, 1), buffer(448, 0, 9),
                    buffer(256, 0, 1), buffer(192, 0, 9), buffer(128, 5, 6)};
  place_buffers(memory);
  EXPECT_EQ(memory.buffers[3].offset, 1600u);
  EXPECT_EQ(memory.buffers[5].offset, 1600u) << "the gap of 256, not that of 512";
}

TEST(Allocate, KeepsInputsTogetherAtTheStart) {
  MemoryPlan memory;
  memory.arena_bytes = {0};
  memory.buffers = {buffer(1024, 0, 2), buffer(64, 0, 9), buffer(128, 0, 9)};
  memory.buffers[1].is_input = memory.buffers[2].is_input = true;
  place_buffers(memory);
  EXPECT_EQ(memory.buffers[2].offset, 0u);
  EXPECT_EQ(memory.buffers[1].offset, 128u);
  EXPECT_EQ(memory.buffers[0].offset, 192u);
}

TEST(Allocate, GivesNoPlaceToWhatTookOverAnother) {
  MemoryPlan memory;
  memory.arena_bytes = {0};
  memory.buffers = {buffer(64, 0, 9), buffer(0, 3, 3)};
  EXPECT_EQ(place_buffers(memory), 1);
  EXPECT_EQ(memory.arena_bytes[0], 64u);
}

}  // namespace
}  // namespace minfer
