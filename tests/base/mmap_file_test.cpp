#include "base/mmap_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/mapping_guard.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer {
namespace {

std::filesystem::path file_of(std::string_view name, std::string_view content) {
  const std::filesystem::path path = test::scratch_folder() / name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string refusal(const std::filesystem::path& path) {
  try {
    const MmapFile file(path);
  } catch (const InvalidRequestError& error) {
    return error.what();
  }
  return "opened";
}

TEST(MmapFile, MapsTheBytes) {
  const MmapFile file(file_of("mapped", "hello"));
  ASSERT_EQ(file.bytes().size(), 5u);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file.bytes().data()), 5), "hello");
  file.advise_sequential(0, 5);
  file.advise_will_need(3, 1000);
  file.advise_dont_need(0, 5);
  EXPECT_EQ(file.bytes()[4], std::byte{'o'});
}

TEST(MmapFile, AnEmptyFileHasNoBytes) { EXPECT_TRUE(MmapFile(file_of("empty", "")).bytes().empty()); }

TEST(MmapFile, RefusalsNameFileAndReason) {
  const std::filesystem::path folder = test::scratch_folder();
  EXPECT_EQ(refusal(folder / "none"),
            (folder / "none").string() + ": cannot open: No such file or directory");
  EXPECT_EQ(refusal(folder), folder.string() + ": cannot open: is a folder");
  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal(pipe), pipe.string() + ": cannot open: is not a regular file");
}

// Reads byte 100,000 of a mapped file after it has been cut to nothing.
int read_after_truncation(const std::filesystem::path& path) {
  const MmapFile file(path);
  std::filesystem::resize_file(path, 0);
  return std::to_integer<int>(static_cast<const volatile std::byte&>(file.bytes()[100'000]));
}

TEST(MappingGuardDeathTest, AFileThatShrinksEndsTheProgramWithOneLine) {
  const std::filesystem::path path = file_of("shrinks\n.gguf", std::string(200'000, 'x'));
  EXPECT_EXIT(
      {
        install_truncated_file_handler();
        std::exit(read_after_truncation(path) ? 3 : 4);
      },
      testing::ExitedWithCode(1), "^error: .*shrinks\\\\n.gguf: the file was truncated while in use\n$");
}

TEST(MappingGuardDeathTest, OtherBusErrorsKeepTheirDefault) {
  EXPECT_EXIT(
      {
        install_truncated_file_handler();
        ::raise(SIGBUS);
        std::exit(3);
      },
      testing::KilledBySignal(SIGBUS), "");
}

// A mapping that is gone no longer claims its addresses.
TEST(MappingGuard, SlotsAreReused) {
  const std::filesystem::path path = file_of("many", "x");
  for (int i = 0; i < 1000; ++i) const MmapFile file(path);
  const std::filesystem::path shrinks = file_of("shrinks2", std::string(200'000, 'x'));
  EXPECT_EXIT(
      {
        install_truncated_file_handler();
        std::exit(read_after_truncation(shrinks) ? 3 : 4);
      },
      testing::ExitedWithCode(1), "truncated while in use");
}

}  // namespace
}  // namespace minfer
