// Runs one node on a CPU backend, from host data to host data.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "backends/cpu/cpu_backend.h"

namespace minfer::test {

struct HostTensor {
  TensorDesc desc;
  std::vector<std::byte> bytes;
};
HostTensor f32(const Shape& shape, std::span<const float> values);
HostTensor i32(const Shape& shape, std::span<const std::int32_t> values);
HostTensor handle();

struct NodeCase {
  Op op;
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> weights;
  std::int64_t n_cells = 0;  // of the KV regions below; 0: the op has none
  std::vector<std::byte> k;  // read and written
  std::vector<std::byte> v;
};

// Plans and executes the node (label "node"); returns the output's bytes, which were poisoned before. Fails
// the test where the plan is unsupported. Throws what execute throws.
std::vector<std::byte> run_node(CpuBackend& backend, NodeCase& node);
std::vector<float> run_node_f32(CpuBackend& backend, NodeCase& node);
Plan plan_node(CpuBackend& backend, const NodeCase& node);

CpuOptions with_threads(int n_threads, bool fused_q8_kv = true);
// Each instruction set of this machine with 1, 2, 3 and 8 threads; the first one is scalar with 1 thread.
std::vector<CpuOptions> all_configurations();
std::string name_of(const CpuOptions& options);

// Deterministic values of ordinary size, of both signs.
std::vector<float> random_floats(std::size_t n, unsigned seed, float scale = 1.0f);

}  // namespace minfer::test
