#include "tokenizer/segment_encoder.h"

#include <fmt/format.h>

#include "minfer/error.h"

namespace minfer {

void append_unknown(const Vocab& vocab, uint8_t byte, std::vector<int32_t>& ids) {
  if (!vocab.unk()) {
    throw UnsupportedError(
        fmt::format("the vocabulary has no token for the byte 0x{:02X} and no unknown token", byte));
  }
  if (ids.empty() || ids.back() != *vocab.unk()) ids.push_back(*vocab.unk());
}

}  // namespace minfer
