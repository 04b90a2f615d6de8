// Where every value of a graph lies while it is alive: one arena a device, offsets given out by liveness.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/schedule.h"

namespace minfer {

inline constexpr std::size_t kBufferAlignment = 64;

// A stretch of a device's arena and the steps during which its contents matter, both ends included. A value
// that takes over its input's buffer extends that buffer's life instead of having one.
struct PlannedBuffer {
  DeviceId device = -1;
  std::size_t bytes = 0;  // a multiple of kBufferAlignment
  int first = 0;          // the step that writes it, or before which it is copied in
  int last = 0;           // the last step that reads it; the number of steps where it is read after the run
  bool is_input = false;  // alive throughout
  std::size_t offset = 0;
};

struct MemoryPlan {
  std::vector<PlannedBuffer> buffers;
  // Index of the buffer that holds a value (an alias root) on a device, or -1: place[device][node].
  std::vector<std::vector<int>> place;
  std::vector<int> workspace;            // by step: index of its buffer, or -1
  std::vector<std::size_t> arena_bytes;  // by device
};

}  // namespace minfer
