// What a file may cost before it is refused: under a second and 100 MB, however large and many things are.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "gguf/builder.h"
#include "gguf/expect_refused.h"
#include "gguf/file.h"
#include "minfer/error.h"
#include "support/data.h"
#include "support/limits.h"

namespace minfer::gguf {
namespace {

using test::Bytes;
using test::expect_refused;
using test::FileBuilder;

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;  // KiB on Linux
}

// An 8 GiB file of zeros (sparse: it takes no room on the disk) behind a header.
class SparseFile {
 public:
  explicit SparseFile(const std::vector<std::byte>& header) : path_(test::scratch_folder() / "sparse.gguf") {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(header.data()), static_cast<std::streamsize>(header.size()));
    std::filesystem::resize_file(path_, std::uint64_t{8} << 30);
  }
  ~SparseFile() { std::filesystem::remove(path_); }

  // Opens it, and expects a refusal that mentions text within the limits.
  void expect_cheap_refusal(std::string_view text) const {
    const auto start = std::chrono::steady_clock::now();
    const long before = peak_kib();
    std::string message = "accepted";
    try {
      File::open(path_);
    } catch (const InvalidFileError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(text), std::string::npos) << message;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(test::kLimitFactor));
    EXPECT_LT(peak_kib() - before, 100'000 * test::kLimitFactor);
  }

 private:
  std::filesystem::path path_;
};

TEST(HostileLimits, CountsThatTheFileCouldHold) {
  FileBuilder keys;
  keys.key_count = 100'000'000;
  SparseFile(keys.header()).expect_cheap_refusal("key count 100000000: the limit is 65536");
  FileBuilder tensors;
  tensors.tensor_count = 100'000'000;
  SparseFile(tensors.header()).expect_cheap_refusal("tensor count 100000000: the limit is 262144");
}

TEST(HostileLimits, ValuesThatTheFileCouldHold) {
  const auto header = [](std::uint32_t type, const Bytes& value) {
    return FileBuilder().key("k", type, value).header();
  };
  constexpr std::uint64_t kFourBillion = 4'000'000'000;
  SparseFile(header(test::kString, Bytes().u64(kFourBillion))).expect_cheap_refusal("longer than the limit");
  SparseFile(header(test::kArray, Bytes().u32(test::kU8).u64(kFourBillion)))
      .expect_cheap_refusal("longer than the limit");
  // Zeros are empty strings: each one is well-formed.
  SparseFile(header(test::kArray, Bytes().u32(test::kString).u64(1'000'000'000)))
      .expect_cheap_refusal("longer than the limit");
}

// As many names as are allowed, of one long common beginning; only the last one repeats another.
TEST(HostileLimits, DuplicatesAmongManyNames) {
  const std::string beginning(180, 'x');
  FileBuilder keys;
  for (int i = 0; i < 65'535; ++i) keys.u32(beginning + std::to_string(i), 0);
  keys.u32(beginning + "7", 0);
  expect_refused(keys.build(0), {"occurs twice"});

  FileBuilder tensors;
  for (std::uint64_t i = 0; i < 200'000; ++i) tensors.tensor(beginning + std::to_string(i), {8}, 0, 32 * i);
  tensors.tensor(beginning + "7", {8}, 0, std::uint64_t{32} * 200'000);
  expect_refused(tensors.build(32 * 200'001), {"occurs twice"});
}

}  // namespace
}  // namespace minfer::gguf
