// How a kernel reports data that it cannot use (an id beyond its table, a cell beyond its region): it leaves the access
// out, and writes one of these to host memory. The backend looks at it at the next synchronization and throws an error
// that names the node. Plain header.
#pragma once

#include <cstdint>

namespace minfer::cuda {

enum class FaultKind : std::int32_t { kNone = 0, kId, kCell, kSlot, kPosition, kPage };

struct Fault {
  std::int32_t kind;   // FaultKind; written last
  std::int32_t node;   // number of the node, FaultSink::node
  std::int32_t index;  // which element of its input
  std::int32_t value;  // that element
};

// Handed to a kernel by value. `fault` is memory of the host that the device writes to, one for each backend.
struct FaultSink {
  Fault* fault = nullptr;
  std::int32_t node = 0;
};

}  // namespace minfer::cuda
