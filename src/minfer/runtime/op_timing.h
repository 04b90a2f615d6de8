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
  void before(const NodeEvent& event) override;
  void after(const NodeEvent& event) override;
  // A table, one line per kernel: calls, microseconds, share, megabytes, GB/s, GFLOP/s. Starts anew.
  std::string take_report();

 private:
  struct Total {
    std::int64_t calls = 0;
    double seconds = 0;
    double bytes = 0;
    double flops = 0;
  };
  std::map<std::string, Total> totals_;  // by op and kernel
  std::chrono::steady_clock::time_point start_;
};

}  // namespace minfer
