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

std::string OpTiming::line(const std::string& name, const Total& total, double all_seconds) const {
  const double rate = total.bytes / total.seconds;
  std::string text = fmt::format("{:<50} {:>8} {:>11.0f} {:>6.1f} {:>9.1f} {:>8.2f} {:>8.3f}", name,
                                 total.calls, total.seconds * 1e6, 100 * total.seconds / all_seconds,
                                 total.bytes * 1e-6, rate * 1e-9, total.flops / total.seconds * 1e-12);
  if (copy_rate_ > 0) text += fmt::format(" {:>9.1f}", 100 * rate / copy_rate_);
  return text + "\n";
}

std::string OpTiming::take_report() {
  std::vector<std::pair<std::string, Total>> rows(totals_.begin(), totals_.end());
  totals_.clear();
  if (rows.empty()) return "";
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
  double all = 0;
  for (const auto& [name, total] : rows) all += total.seconds;
  std::string text = fmt::format("{:<50} {:>8} {:>11} {:>6} {:>9} {:>8} {:>8}{}\n", "op and kernel", "calls",
                                 "us", "%", "MB", "GB/s", "TFLOP/s", copy_rate_ > 0 ? " % of copy" : "");
  for (const auto& [name, total] : rows) text += line(name, total, all);
  if (copy_rate_ > 0) text += fmt::format("copies within the device: {:.0f} GB/s\n", copy_rate_ * 1e-9);
  return text;
}

}  // namespace minfer
