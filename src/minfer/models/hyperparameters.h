// The numbers of a model that its metadata gives: read with ranges, each error naming key and value. Keys are
// those of the GGUF specification (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md), prefixed with the
// architecture's name.
#pragma once

#include <cstdint>
#include <string>

#include "gguf/reader.h"
#include "ops/rope.h"
#include "ops/rope_table.h"

namespace minfer {

struct Hyperparameters {
  std::string architecture;  // general.architecture
  int n_layer = 0;           // block_count
  int n_embd = 0;            // embedding_length
  int n_ff = 0;              // feed_forward_length
  int n_head = 0;            // attention.head_count
  int n_head_kv = 0;         // attention.head_count_kv; as many as n_head where the key is absent
  int head_dim = 0;          // attention.key_length; n_embd / n_head where the key is absent
  int n_vocab = 0;           // rows of the embedding table
  int n_ctx_train = 0;       // context_length
  float rms_eps = 0;         // attention.layer_norm_rms_epsilon
  RopeTable rope;            // rope.* keys
  RopeStyle rope_style = RopeStyle::kNeox;  // a property of the architecture, not of the file

  std::int64_t n_q() const { return std::int64_t{n_head} * head_dim; }
  std::int64_t n_kv() const { return std::int64_t{n_head_kv} * head_dim; }
};

// Throws InvalidFileError for a missing, mistyped or out-of-range value, UnsupportedError for a scaling kind or
// geometry that the engine does not have.
Hyperparameters read_hyperparameters(const gguf::Reader& file, RopeStyle style);

}  // namespace minfer
