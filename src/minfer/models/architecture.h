// A loaded model's description: its hyperparameters, the tensors it reads and the graph of a forward pass. One
// file an architecture implements it, and registry.cpp lists them; generic code asks for properties, never for a
// model's name.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "models/hyperparameters.h"
#include "models/tensor_table.h"

namespace minfer {

// What a forward pass's graph depends on, beside the model.
struct BatchShape {
  std::int64_t n_tokens = 0;
  std::int64_t n_logit_rows = 0;  // 0: no logits; the head is left out
  std::int64_t n_slots = 0;       // rows of the page table: sequences in the batch
  std::int64_t max_pages = 0;     // columns of the page table
  DType kv_cell = DType::kF32;
};

class Architecture {
 public:
  virtual ~Architecture() = default;

  const Hyperparameters& hparams() const { return hparams_; }
  std::span<const ModelWeight> weights() const { return weights_; }
  // Frequency divisors of the rotary embedding, or null (needed outside the graph by context shift).
  const float* rope_divisors() const { return rope_divisors_; }

  // The graph of one micro-batch. Inputs: every InputRole but kOther (kLogitRows only with logits). Output 0,
  // where n_logit_rows > 0: logits F32 (n_logit_rows, n_vocab).
  virtual Graph build(ModelId model, const BatchShape& shape) const = 0;

 protected:
  Hyperparameters hparams_;
  std::vector<ModelWeight> weights_;
  const float* rope_divisors_ = nullptr;
};

// Reads a file's description by general.architecture. The reader must outlive the result. Throws
// InvalidFileError or UnsupportedError.
std::unique_ptr<Architecture> load_architecture(const gguf::Reader& file);

struct ArchitectureEntry {
  std::string_view name;  // general.architecture
  std::unique_ptr<Architecture> (*load)(const gguf::Reader& file);
};
std::span<const ArchitectureEntry> architectures();

}  // namespace minfer
