#include "backends/cuda/device/buffer_pool.h"

#include <cuda_runtime_api.h>

#include <set>

#include "backends/cuda/device/check.h"
#include "backends/cuda/device/device.h"
#include "gpu.h"
#include "minfer/error.h"

namespace minfer::cuda {
namespace {

class BufferPoolTest : public testing::Test {
 protected:
  void SetUp() override { MINFER_NEED_GPU(); }
};

TEST_F(BufferPoolTest, ReusesReleasedBlocksOfAboutTheSizeAndNeverAnId) {
  Device device(best_device());
  BufferPool pool;
  const BufferId first = pool.allocate(1 << 20);
  const std::byte* memory = pool.data(first, 0, 1 << 20);
  const std::uint64_t generation = pool.generation();
  pool.release(first);
  EXPECT_NE(pool.generation(), generation) << "an address became invalid";
  const std::size_t held = pool.bytes_held();
  const BufferId second = pool.allocate((1 << 20) - 1000);
  EXPECT_NE(second, first);
  EXPECT_EQ(pool.data(second, 0, 0), memory);
  EXPECT_EQ(pool.bytes_held(), held);
  const BufferId small = pool.allocate(100);
  EXPECT_NE(pool.data(small, 0, 0), memory);
  EXPECT_THROW(static_cast<void>(pool.data(first, 0, 0)), InternalError);
}

TEST_F(BufferPoolTest, ChecksStretches) {
  Device device(best_device());
  BufferPool pool;
  const BufferId id = pool.allocate(1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pool.data(id, 0, 1000)) % 256, 0u);
  EXPECT_NO_THROW(static_cast<void>(pool.data(id, 1000, 0)));
  EXPECT_THROW(static_cast<void>(pool.data(id, 1000, 1)), InternalError);
  EXPECT_THROW(static_cast<void>(pool.data(id, 1001, 0)), InternalError);
  EXPECT_THROW(static_cast<void>(pool.data(77, 0, 0)), InternalError);
  EXPECT_EQ(pool.data(BufferRef{}), nullptr);
}

TEST_F(BufferPoolTest, SaysHowMuchIsMissingAndGoesOn) {
  Device device(best_device());
  BufferPool pool;
  try {
    pool.allocate(std::size_t{1} << 46);
    FAIL();
  } catch (const OutOfMemoryError& error) {
    EXPECT_NE(std::string(error.what()).find("65536.00 GiB"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("are free"), std::string::npos) << error.what();
  }
  const BufferId id = pool.allocate(4096);
  MINFER_CUDA(cudaMemsetAsync(pool.data(id, 0, 4096), 0, 4096, device.stream()));
  EXPECT_NO_THROW(device.synchronize());
}

TEST_F(BufferPoolTest, GivesTheFreeListBackRatherThanFail) {
  Device device(best_device());
  BufferPool pool;
  const std::size_t free = device.memory().free_bytes;
  const BufferId large = pool.allocate(free / 10 * 6);
  pool.release(large);
  // Too large for the kept block's slack, and too much beside it.
  EXPECT_NO_THROW(pool.allocate(free / 10 * 4));
  EXPECT_NO_THROW(pool.allocate(free / 10 * 4));
}

}  // namespace
}  // namespace minfer::cuda
