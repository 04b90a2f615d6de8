#pragma once

#include "backends/cuda/device/fault.h"

namespace minfer::cuda {

// Keeps the first fault, roughly: among threads that fail at the same time any one may win, whole.
__device__ inline void report_fault(const FaultSink& sink, FaultKind kind, std::int32_t index,
                                    std::int32_t value) {
  volatile Fault* fault = sink.fault;
  if (fault->kind != 0) return;
  fault->node = sink.node;
  fault->index = index;
  fault->value = value;
  __threadfence_system();
  fault->kind = static_cast<std::int32_t>(kind);
}

}  // namespace minfer::cuda
