// A byte-level BPE vocabulary of any size whose merges and tokens agree, so that any engine loads it and can turn any
// text into tokens and back. The words are made up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minfer::cli {

struct SynthVocabulary {
  std::string pre_tokenizer;        // as in tokenizer.ggml.pre
  std::vector<std::string> tokens;  // by id
  std::vector<std::int32_t> kinds;  // by id, tokenizer.ggml.token_type
  std::vector<std::string> merges;  // "left right"
  std::uint32_t bos = 0;
  std::uint32_t eos = 0;
  std::uint32_t pad = 0;
  bool add_bos = false;
  std::string chat_template;
};

// The smallest number of tokens: the 256 bytes and the control tokens.
int smallest_vocabulary(std::string_view architecture);

// Control tokens, pre-tokenizer and template are Llama 3's for "llama" and Qwen's for all others. Their ids are the
// real ones where n_vocab is at least that of the real vocabulary (what is beyond them is padding); in a smaller one
// they are the last. REQUIRES: n_vocab >= smallest_vocabulary(architecture).
SynthVocabulary make_vocabulary(std::string_view architecture, int n_vocab);

}  // namespace minfer::cli
