// Byte-level byte-pair encoding (GPT-2, Llama 3, Qwen): text is normalized where the vocabulary's own
// tokenizer does so, cut into words by the pre-tokenizer's pattern, and each word's bytes are merged.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/merge_table.h"
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/segment_encoder.h"
#include "tokenizer/vocab.h"

namespace minfer {

class ByteBpe : public SegmentEncoder {
 public:
  // `vocab` must outlive this. Throws as MergeTable and find_pre_tokenizer do.
  ByteBpe(const VocabSpec& spec, const Vocab& vocab);

  void encode(std::string_view text, std::vector<int32_t>& ids) const override;

 private:
  struct Symbol {
    int32_t id;          // kGone after it was merged into the one before it
    int32_t prev, next;  // positions in `symbols`; -1: none
  };
  static constexpr int32_t kGone = -2;
  static constexpr int32_t kNoToken = -1;  // a byte that the vocabulary lacks
  // Reused from word to word.
  struct Workspace {
    std::vector<Symbol> symbols;
    std::vector<uint64_t> queue;  // a heap of possible merges, the next one on top: rank << 32 | left symbol
    std::string word_text;
  };

  void encode_word(std::string_view word, Workspace& work, std::vector<int32_t>& ids) const;
  std::optional<int32_t> find_whole(std::string_view word, Workspace& work) const;
  void merge_all(Workspace& work) const;
  void queue_merge(int32_t left, Workspace& work) const;

  const Vocab& vocab_;
  PreTokenizerInfo info_;
  PreTokenizer pre_tokenizer_;
  MergeTable merges_;
  std::array<int32_t, 256> byte_tokens_;
};

}  // namespace minfer
