#include "runtime/op_timing.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace minfer {

void OpTiming::before(const NodeEvent&) { start_ = std::chrono::steady_clock::now(); }

void OpTiming::after(const NodeEvent& event) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const double seconds = event.device.node_seconds().value_or(elapsed.count());
  const Plan& plan = event.node.plan;
  Total& total = totals_[fmt::format("{:<18} {}", op_name(event.node.node->op), plan.kernel)];
  ++total.calls;
  total.seconds += seconds;
  total.bytes += static_cast<double>(plan.bytes_moved);
  total.flops += static_cast<double>(plan.flops);
}

std::string OpTiming::take_report() {
  std::vector<std::pair<std::string, Total>> rows(totals_.begin(), totals_.end());
  totals_.clear();
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
  double all = 0;
  for (const auto& [name, total] : rows) all += total.seconds;
  std::string text = fmt::format("{:<50} {:>8} {:>11} {:>6} {:>9} {:>8} {:>9}\n", "op and kernel", "calls",
                                 "us", "%", "MB", "GB/s", "GFLOP/s");
  for (const auto& [name, total] : rows)
    text += fmt::format("{:<50} {:>8} {:>11.0f} {:>6.1f} {:>9.1f} {:>8.2f} {:>9.2f}\n", name, total.calls,
                        total.seconds * 1e6, 100 * total.seconds / all, total.bytes * 1e-6,
                        total.bytes / total.seconds * 1e-9, total.flops / total.seconds * 1e-9);
  return rows.empty() ? "" : text;
}

}  // namespace minfer
