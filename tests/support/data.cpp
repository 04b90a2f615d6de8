#include "support/data.h"

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace minfer::test {
namespace {

struct ScratchFolder {
  std::filesystem::path path;
  ScratchFolder()
      : path(std::filesystem::temp_directory_path() / ("minfer-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

std::filesystem::path test_data(const std::string& name) {
  return std::filesystem::path(MINFER_TEST_DATA) / name;
}
std::filesystem::path model_file(const std::string& name) {
  return std::filesystem::path(MINFER_MODELS) / name;
}
std::filesystem::path shared_data(const std::string& name) {
  return std::filesystem::path(MINFER_SHARED_DATA) / name;
}
bool have_shared_data() { return std::filesystem::exists(shared_data("oracle/index.json")); }

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::vector<float> read_floats(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  std::vector<float> values(text.size() / sizeof(float));
  std::memcpy(values.data(), text.data(), values.size() * sizeof(float));
  return values;
}

std::filesystem::path scratch_folder() {
  static const ScratchFolder folder;
  return folder.path;
}

}  // namespace minfer::test
