// The part of a batch that is computed together: where each token goes, as the graph's inputs.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "minfer/engine.h"
#include "runtime/kv_cache.h"

namespace minfer {

using SequenceOf = std::function<Sequence&(SequenceId)>;

class MicroBatch {
 public:
  // Reserves cells for the tokens and advances their sequences. On an exception some sequences may be longer: the
  // caller truncates them.
  MicroBatch(std::span<const BatchToken> batch, KvCache& kv, const SequenceOf& sequence_of);

  std::size_t n_tokens() const { return tokens.size(); }
  std::size_t n_slots() const { return slots_.size(); }
  std::size_t n_logit_rows() const { return logit_rows.size(); }

  // The page table (n_rows, max_pages), -1 where a sequence has no page and in rows beyond the slots.
  std::vector<std::int32_t> page_table(std::size_t n_rows, std::size_t max_pages) const;

  std::vector<std::int32_t> tokens, positions, cells, slots, logit_rows;  // as InputRole says

 private:
  std::size_t slot_of(SequenceId id, Sequence& sequence);

  struct Slot {
    SequenceId id;
    Sequence* sequence;
  };
  std::vector<Slot> slots_;
};

}  // namespace minfer
