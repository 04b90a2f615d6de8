#include "runtime/trace.h"

#include "base/log.h"

namespace minfer {

void TraceObserver::before(const NodeEvent& event) {
  const Node& node = *event.node.node;
  log_info("run {} ({}) on {}: {}", node.label, op_name(node.op), event.device.name(),
           event.node.plan.kernel);
}

}  // namespace minfer
