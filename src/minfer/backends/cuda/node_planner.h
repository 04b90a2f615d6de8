// Chooses the kernel of a node. Needs no GPU: the support matrix is made with assumed limits.
#pragma once

#include <memory>
#include <vector>

#include "backends/cuda/kernel_table.h"
#include "backends/cuda/weight_store.h"

namespace minfer::cuda {

// What plan leaves for execute.
struct NodeState {
  const Candidate* candidate = nullptr;
  std::vector<const WeightStore::Entry*> weights;
  std::vector<TensorDesc> input_descs;
  std::vector<std::size_t> input_bytes;
  std::size_t output_bytes = 0;
  std::size_t workspace_bytes = 0;
  std::shared_ptr<const void> candidate_state;
  std::int32_t number = 0;  // by which a kernel names the node in a Fault
  std::string label;
};

// The kernel of the node, or why there is none. Plan::state is a NodeState.
Plan plan_node(const NodeSpec& spec, const WeightStore& weights, const DeviceLimits& limits,
               const KernelOptions& options);

}  // namespace minfer::cuda
