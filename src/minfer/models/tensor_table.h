// The tensors that a model's graph reads, looked up in the file and checked against the hyperparameters, so that
// nothing can misfit once a graph is built. Also knows which tensors of the file were never asked for.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "backends/backend.h"
#include "gguf/reader.h"
#include "minfer/error.h"

namespace minfer {

struct ModelWeight {
  WeightRef ref;
  TensorView view;
  WeightUses uses = 0;
};

class TensorTable {
 public:
  explicit TensorTable(const gguf::Reader& file) : file_(file) {}

  // Each throws InvalidFileError naming the tensor where it is missing, or of another shape or kind than asked.
  WeightRef matrix(const std::string& name, std::int64_t n_out, std::int64_t n_in);     // for MatMul
  WeightRef embedding(const std::string& name, std::int64_t n_embd, bool also_matmul);  // rows = vocabulary
  WeightRef vector(const std::string& name, std::int64_t n);  // F32 gains and biases
  std::optional<WeightRef> find_vector(const std::string& name, std::int64_t n);
  bool has(const std::string& name) const { return file_.find_tensor(name) != nullptr; }

  // Throws InvalidFileError naming the first tensor of the file that the graph does not read.
  void check_all_used() const;
  std::vector<ModelWeight> take() { return std::move(weights_); }

 private:
  const gguf::TensorInfo& find(const std::string& name) const;
  WeightRef declare(const gguf::TensorInfo& info, WeightUses uses);
  [[noreturn]] void reject(const std::string& name, const std::string& problem) const;

  const gguf::Reader& file_;
  std::vector<ModelWeight> weights_;
  std::unordered_set<std::string> used_;
};

}  // namespace minfer
