// Where test data lives. Fixtures of the repository are always there; the large oracles (shared data) may not
// be: such tests call MINFER_NEED_SHARED() first, and the runner lists what was skipped and why.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace minfer::test {

std::filesystem::path test_data(const std::string& name);    // tests/data/NAME
std::filesystem::path model_file(const std::string& name);   // models/NAME
std::filesystem::path shared_data(const std::string& name);  // the shared oracles
bool have_shared_data();

std::string read_text(const std::filesystem::path& path);
std::vector<std::byte> read_bytes(const std::filesystem::path& path);
std::vector<float> read_floats(const std::filesystem::path& path);  // little-endian float32

// A folder of this process's own under the system's temporary folder, removed at exit.
std::filesystem::path scratch_folder();

}  // namespace minfer::test

#define MINFER_NEED_SHARED() \
  if (!minfer::test::have_shared_data()) GTEST_SKIP() << "the shared oracles are not beside this checkout"
