#include "runtime/micro_batch.h"

#include <algorithm>

namespace minfer {

MicroBatch::MicroBatch(std::span<const BatchToken> batch, KvCache& kv, const SequenceOf& sequence_of) {
  for (const BatchToken& token : batch) {
    Sequence& sequence = sequence_of(token.sequence);
    kv.reserve(sequence, 1);
    const int position = sequence.length++;
    const std::int32_t page = sequence.pages[static_cast<std::size_t>(position / kKvPageSize)];
    if (token.logits) logit_rows.push_back(static_cast<std::int32_t>(tokens.size()));
    tokens.push_back(token.token);
    positions.push_back(position);
    cells.push_back(page * kKvPageSize + position % kKvPageSize);
    slots.push_back(static_cast<std::int32_t>(slot_of(token.sequence, sequence)));
  }
}

std::size_t MicroBatch::slot_of(SequenceId id, Sequence& sequence) {
  const auto found =
      std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) { return slot.id == id; });
  if (found != slots_.end()) return static_cast<std::size_t>(found - slots_.begin());
  slots_.push_back({id, &sequence});
  return slots_.size() - 1;
}

std::vector<std::int32_t> MicroBatch::page_table(std::size_t n_rows, std::size_t max_pages) const {
  std::vector<std::int32_t> table(n_rows * max_pages, -1);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    std::copy(slots_[slot].sequence->pages.begin(), slots_[slot].sequence->pages.end(),
              table.begin() + static_cast<std::ptrdiff_t>(slot * max_pages));
  return table;
}

}  // namespace minfer
