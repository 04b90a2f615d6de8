// A model file, opened and checked: hyperparameters, vocabulary and the mapped weights. Immutable and shareable
// between threads and engines.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minfer {

class Architecture;
class Tokenizer;

using TokenId = std::int32_t;

struct ModelInfo {
  std::string path;
  std::string name;          // general.name, may be empty
  std::string architecture;  // "qwen3"
  std::string type;          // "qwen3 0.6B Q4_K - Medium": size and file type, as benchmarks print it
  std::uint64_t file_bytes = 0;
  std::uint64_t tensor_bytes = 0;
  std::uint64_t n_params = 0;
  std::uint64_t decode_bytes = 0;  // of weights that a decode step reads: all but those only gathered from
  std::uint64_t layer_macs =
      0;  // multiply-adds a prompt token takes in the layers' matrices, the head's left out
  int n_layer = 0;
  int n_embd = 0;
  int n_head = 0;
  int n_head_kv = 0;
  int head_dim = 0;
  int n_vocab = 0;      // rows of the head: logits of a token
  int n_ctx_train = 0;  // context the model was trained for
};

class Model {
 public:
  // Opens a GGUF file. Throws InvalidFileError, UnsupportedError, or InvalidRequestError where it cannot be
  // opened. Costs no work proportional to the weights: they are mapped, not read.
  static std::shared_ptr<const Model> load(const std::string& path);
  ~Model();

  const ModelInfo& info() const;
  const Tokenizer& tokenizer() const;  // src/minfer/tokenizer/tokenizer.h
  const Architecture& architecture() const;
  std::uint64_t id() const;  // unique in this process

  // Token ids of a text, with BOS in front where the model wants one and add_bos is set.
  std::vector<TokenId> tokenize(std::string_view text, bool add_bos, bool parse_special) const;
  // The text of tokens; control tokens are left out.
  std::string detokenize(std::span<const TokenId> tokens) const;

 private:
  struct Impl;
  explicit Model(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace minfer
