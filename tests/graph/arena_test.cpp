#include "graph/arena.h"

#include <gtest/gtest.h>

#include "backends/null/null_backend.h"
#include "minfer/error.h"

namespace minfer {
namespace {

// Counts what is allocated and not released.
class CountingDevice : public NullBackend {
 public:
  BufferId allocate(std::size_t bytes) override {
    if (bytes > limit) throw OutOfMemoryError("too much");
    ++live;
    return NullBackend::allocate(bytes);
  }
  void release(BufferId buffer) override {
    --live;
    NullBackend::release(buffer);
  }
  int live = 0;
  std::size_t limit = 1 << 20;
};

TEST(Arena, GrowsAndNeverShrinks) {
  CountingDevice device;
  Backend* const devices[] = {&device};
  Arena arena(devices);
  EXPECT_EQ(arena.buffer(0), kNoBuffer);
  arena.reserve(0, 1000);
  const BufferId first = arena.buffer(0);
  const std::uint64_t generation = arena.generation();
  arena.reserve(0, 500);
  EXPECT_EQ(arena.buffer(0), first);
  EXPECT_EQ(arena.generation(), generation);
  arena.reserve(0, 2000);
  EXPECT_NE(arena.buffer(0), first);
  EXPECT_NE(arena.generation(), generation);
  EXPECT_EQ(device.live, 1) << "the old buffer is released";
}

TEST(Arena, ReleasesItsBuffers) {
  CountingDevice device;
  Backend* const devices[] = {&device};
  { Arena(devices).reserve(0, 1000); }
  EXPECT_EQ(device.live, 0);
}

TEST(Arena, CanBeUsedAfterTheDeviceHadNoMemory) {
  CountingDevice device;
  Backend* const devices[] = {&device};
  Arena arena(devices);
  arena.reserve(0, 1000);
  EXPECT_THROW(arena.reserve(0, 2 << 20), OutOfMemoryError);
  EXPECT_EQ(arena.buffer(0), kNoBuffer);
  arena.reserve(0, 1000);
  EXPECT_EQ(device.live, 1);
}

}  // namespace
}  // namespace minfer
