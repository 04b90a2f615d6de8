#include "backends/host_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "minfer/error.h"
#include "support/limits.h"

namespace minfer {
namespace {

TEST(HostBuffers, AlignsToSixtyFourBytesInTheHeapAndMapped) {
  HostBuffers buffers;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{65}, std::size_t{3} << 20}) {
    const BufferId id = buffers.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffers.data(id)) % 64, 0u) << bytes;
    EXPECT_EQ(buffers.bytes(id), bytes);
    std::memset(buffers.data(id), 0x5a, bytes);
  }
}

TEST(HostBuffers, MapsMoreThanTheMachineHasWithoutCommittingIt) {
  HostBuffers buffers;
  const std::size_t bytes = 2 * host_memory_info().total_bytes;
  const BufferId id = buffers.allocate(bytes);
  const std::array<std::byte, 3> source{std::byte{1}, std::byte{2}, std::byte{3}};
  std::array<std::byte, 3> copy{};
  buffers.write(id, bytes - 3, source);
  buffers.read(id, bytes - 3, copy);
  EXPECT_EQ(source, copy);
}

// The flags that the kernel keeps of the mapping around an address ("rd wr hg"), empty where it does not tell.
std::string mapping_flags(const std::byte* address) {
  std::ifstream file("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    std::uintptr_t first = 0, last = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &last) == 2) inside = first <= wanted && wanted < last;
    if (inside && line.starts_with("VmFlags:")) return line.substr(8) + " ";
  }
  return "";
}

TEST(HostBuffers, AsksForHugePagesBehindTheFirst) {
  if (test::kEmulated) GTEST_SKIP() << "an emulator does not pass the advice on";
  HostBuffers buffers;
  const std::byte* data = buffers.data(buffers.allocate(std::size_t{16} << 20));
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled") || mapping_flags(data).empty())
    GTEST_SKIP() << "there are no huge pages here";
  EXPECT_EQ(mapping_flags(data).find(" hg "), std::string::npos);
  EXPECT_NE(mapping_flags(data + (std::size_t{8} << 20)).find(" hg "), std::string::npos);
}

TEST(HostBuffers, RefusesWhatCannotBeMapped) {
  HostBuffers buffers;
  EXPECT_THROW(buffers.allocate(std::size_t{1} << 62), OutOfMemoryError);
}

TEST(HostBuffers, ChecksIdsAndRanges) {
  HostBuffers buffers;
  const BufferId id = buffers.allocate(100);
  std::array<std::byte, 8> bytes{};
  EXPECT_THROW(buffers.data(id + 1), InternalError);
  EXPECT_THROW(buffers.data(kNoBuffer), InternalError);
  EXPECT_THROW(buffers.write(id, 93, bytes), InternalError);
  EXPECT_THROW(buffers.read(id, SIZE_MAX, bytes), InternalError);
  EXPECT_THROW(buffers.data(BufferRef{id, 96, 8}), InternalError);
  EXPECT_EQ(buffers.data(BufferRef{}), nullptr);
  EXPECT_EQ(buffers.data(BufferRef{id, 92, 8}), buffers.data(id) + 92);
}

TEST(HostBuffers, NeverUsesAnIdTwice) {
  HostBuffers buffers;
  const BufferId first = buffers.allocate(100);
  buffers.release(first);
  EXPECT_THROW(buffers.data(first), InternalError);
  EXPECT_THROW(buffers.release(first), InternalError);
  EXPECT_NE(buffers.allocate(100), first);
}

TEST(HostMemoryInfo, HasFreeMemoryWithinTheTotal) {
  const MemoryInfo info = host_memory_info();
  EXPECT_GT(info.free_bytes, 0u);
  EXPECT_GT(info.total_bytes, info.free_bytes);
}

}  // namespace
}  // namespace minfer
