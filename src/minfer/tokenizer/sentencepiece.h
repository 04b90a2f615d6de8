// SentencePiece's BPE (Llama 2): characters are merged by the score of the token they make, spaces are
// U+2581, a space goes before each text, and what no token expresses becomes byte tokens or the unknown
// token.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/segment_encoder.h"
#include "tokenizer/vocab.h"

namespace minfer {

class SentencePiece : public SegmentEncoder {
 public:
  // `vocab` must outlive this. Throws InvalidFileError where the scores are not one number a token.
  SentencePiece(const VocabSpec& spec, const Vocab& vocab);

  void encode(std::string_view text, std::vector<int32_t>& ids) const override;

 private:
  struct Symbol {
    int32_t begin, length;  // bytes of the text; length 0: it was merged into the one before it
    int32_t id;             // -1: no token
    int32_t prev, next;     // -1: none
  };
  struct Merge {
    float score;
    int32_t left;    // symbol
    int32_t length;  // of both symbols together: tells a merge that is outdated
    int32_t id;
  };
  struct Later;
  struct Workspace {
    std::string text;  // with visible spaces
    std::vector<Symbol> symbols;
    std::vector<Merge> queue;  // a heap, the next merge on top
  };

  int32_t find(std::string_view text) const;  // the token that this text may be merged to, or -1
  std::string with_visible_spaces(std::string_view text) const;
  void cut_into_characters(Workspace& work) const;
  void merge_all(Workspace& work) const;
  void queue_merge(int32_t left, Workspace& work) const;
  void append_bytes(std::string_view text, std::vector<int32_t>& ids) const;

  const Vocab& vocab_;
  std::vector<float> scores_;
  bool add_space_prefix_;
  size_t longest_token_ = 0;
  std::array<int32_t, 256> byte_tokens_;  // -1: none
};

}  // namespace minfer
