// The decoder-only transformer that Qwen2, Qwen3 and Llama share, as blocks of graph. What differs between them
// are properties (biases, norms of q and k, rotation style), found in the tensors and hyperparameters given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/builder.h"
#include "models/architecture.h"

namespace minfer {

// The tensors of one layer; the names in comments are without "blk.N." and ".weight".
struct LayerTensors {
  WeightRef attn_norm, ffn_norm;
  WeightRef wq, wk, wv, wo;                 // attn_q, attn_k, attn_v, attn_output
  std::optional<WeightRef> bq, bk, bv;      // attn_{q,k,v}.bias: all or none
  std::optional<WeightRef> q_norm, k_norm;  // attn_q_norm, attn_k_norm: both or none
  WeightRef gate, up, down;                 // ffn_gate, ffn_up, ffn_down
};

struct DecoderTensors {
  WeightRef embedding;  // token_embd
  std::vector<LayerTensors> layers;
  WeightRef output_norm;
  WeightRef head;                          // output, or token_embd where the head is tied to it
  std::optional<WeightRef> rope_divisors;  // rope_freqs
};

struct DecoderOptions {
  bool qkv_bias = false;  // required; else read where the file has them, if optional_qkv_bias
  bool optional_qkv_bias = false;
  bool qk_norm = false;
};

// An architecture made of these blocks.
class Decoder : public Architecture {
 public:
  // Reads hyperparameters and tensors of the file. Throws InvalidFileError or UnsupportedError.
  Decoder(const gguf::Reader& file, RopeStyle style, const DecoderOptions& options);
  Graph build(ModelId model, const BatchShape& shape) const override;

 private:
  DecoderTensors tensors_;
};

}  // namespace minfer
