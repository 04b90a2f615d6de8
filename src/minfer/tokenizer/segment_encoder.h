// The part of a tokenizer that depends on its model: turns the text between special tokens into ids.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/vocab.h"

namespace minfer {

class SegmentEncoder {
 public:
  virtual ~SegmentEncoder() = default;

  // Appends the ids of `text`: valid UTF-8, not empty, without special tokens. Safe to call from many
  // threads. Throws UnsupportedError for text that the vocabulary can neither express nor mark as unknown.
  virtual void encode(std::string_view text, std::vector<int32_t>& ids) const = 0;
};

// Appends the unknown token for a byte that has none, one for a run of such bytes; throws where there is
// none.
void append_unknown(const Vocab& vocab, uint8_t byte, std::vector<int32_t>& ids);

}  // namespace minfer
