// Watching a run: several observers at once, and the one that logs each node as it runs (MINFER_TRACE).
#pragma once

#include <vector>

#include "graph/scheduler.h"

namespace minfer {

// Logs label, op, device and kernel of each node before it runs.
class TraceObserver final : public Observer {
 public:
  void before(const NodeEvent& event) override;
};

// Passes events on, in the order in which observers were added.
class ObserverList final : public Observer {
 public:
  void add(Observer& observer) { observers_.push_back(&observer); }  // which must outlive this
  bool empty() const { return observers_.empty(); }
  void before(const NodeEvent& event) override {
    for (Observer* observer : observers_) observer->before(event);
  }
  void after(const NodeEvent& event) override {
    for (Observer* observer : observers_) observer->after(event);
  }

 private:
  std::vector<Observer*> observers_;
};

}  // namespace minfer
