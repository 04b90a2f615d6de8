// Time, bytes and operations per kind of op (MINFER_OP_TIMING).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "graph/scheduler.h"

namespace minfer {

class OpTiming final : public Observer {
 public:
  // copy_rate: bytes per second that the device's own copies read and write, of a GPU; 0: not known.
  explicit OpTiming(double copy_rate = 0) : copy_rate_(copy_rate) {}
  void before(const NodeEvent& event) override;
  void after(const NodeEvent& event) override;
  // A table, one line per kernel: calls, microseconds, share, megabytes, GB/s, TFLOP/s, and GB/s as a share of the
  // copy rate where there is one. Starts anew.
  std::string take_report();

 private:
  struct Total {
    std::int64_t calls = 0;
    double seconds = 0;
    double bytes = 0;
    double flops = 0;
  };
  std::string line(const std::string& name, const Total& total, double all_seconds) const;

  const double copy_rate_;
  std::map<std::string, Total> totals_;  // by op and kernel
  std::chrono::steady_clock::time_point start_;
};

}  // namespace minfer
