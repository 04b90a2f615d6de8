#include "graph/allocate.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace minfer {
namespace {

bool lives_meet(const PlannedBuffer& a, const PlannedBuffer& b) {
  return a.first <= b.last && b.first <= a.last;
}

// Buffers already placed on one device, by ascending offset.
class PlacedBuffers {
 public:
  // The start of the tightest gap that fits, or the end of the highest buffer in the way.
  std::size_t find_offset(const PlannedBuffer& buffer) const {
    std::size_t best = 0, best_gap = std::numeric_limits<std::size_t>::max(), end = 0;
    for (const PlannedBuffer* other : placed_) {
      if (!lives_meet(buffer, *other)) continue;
      if (other->offset >= end + buffer.bytes && other->offset - end < best_gap) {
        best = end;
        best_gap = other->offset - end;
      }
      end = std::max(end, other->offset + other->bytes);
    }
    return best_gap == std::numeric_limits<std::size_t>::max() ? end : best;
  }

  void insert(const PlannedBuffer& buffer) {
    const auto by_offset = [](const PlannedBuffer* a, const PlannedBuffer* b) {
      return a->offset < b->offset;
    };
    placed_.insert(std::ranges::upper_bound(placed_, &buffer, by_offset), &buffer);
  }

 private:
  std::vector<const PlannedBuffer*> placed_;
};

std::vector<std::size_t> placement_order(const std::vector<PlannedBuffer>& buffers) {
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if (buffers[a].is_input != buffers[b].is_input) return buffers[a].is_input;
    return buffers[a].bytes > buffers[b].bytes;
  });
  return order;
}

}  // namespace

int place_buffers(MemoryPlan& memory) {
  std::vector<PlacedBuffers> placed(memory.arena_bytes.size());
  int count = 0;
  for (std::size_t index : placement_order(memory.buffers)) {
    PlannedBuffer& buffer = memory.buffers[index];
    if (buffer.bytes == 0) continue;
    const auto device = static_cast<std::size_t>(buffer.device);
    buffer.offset = placed[device].find_offset(buffer);
    placed[device].insert(buffer);
    memory.arena_bytes[device] = std::max(memory.arena_bytes[device], buffer.offset + buffer.bytes);
    ++count;
  }
  return count;
}

int allocate(CompileState& state) { return place_buffers(state.memory); }

}  // namespace minfer
