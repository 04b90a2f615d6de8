// A minimal valid qwen3 file whose keys and tensors a test may change, one at a time, into something hostile.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gguf/builder.h"

namespace minfer::test {

class ModelFile {
 public:
  ModelFile();

  // Replaces or adds a key; the architecture's prefix "qwen3." is the caller's to write.
  ModelFile& u32(const std::string& name, std::uint32_t value);
  ModelFile& f32(const std::string& name, float value);
  ModelFile& string(const std::string& name, const std::string& value);
  ModelFile& without_key(const std::string& name);

  // Replaces or adds a tensor of zeros; type is a GGUF type id (0: f32).
  ModelFile& tensor(const std::string& name, const std::vector<std::uint64_t>& dims, std::uint32_t type = 0);
  ModelFile& without_tensor(const std::string& name);

  std::vector<std::byte> build() const;

 private:
  struct Tensor {
    std::vector<std::uint64_t> dims;
    std::uint32_t type = 0;
  };
  std::map<std::string, std::function<void(FileBuilder&)>> keys_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace minfer::test
