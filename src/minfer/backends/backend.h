// The contract between the graph and a device. A backend object is one device; several of a kind may exist, and
// nothing is process-global. The graph code knows backends only through this header.
//
// Order of life: register_weight for a model's tensors · plan for each node when a graph is compiled · prepare for
// each node when it gets its memory · allocate · then, per run: write inputs, begin(split), execute each node of the
// split, end(split), synchronize, read.
// One thread at a time uses a backend. Errors are exceptions of minfer/error.h that name the node and the actual
// values; a backend never falls back to another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ops/kv_geometry.h"
#include "ops/node.h"

namespace minfer {

using ModelId = std::uint64_t;   // unique per loaded model in this process
using BufferId = std::uint32_t;  // of one backend
inline constexpr BufferId kNoBuffer = 0;

// A stretch of a device buffer.
struct BufferRef {
  BufferId buffer = kNoBuffer;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

// 0 where it is not known.
struct DeviceClocks {
  int core_mhz = 0;
  int memory_mhz = 0;
};

struct MemoryInfo {
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;
};

// What a weight is read for; a backend may keep another layout for each use.
enum class WeightUse : std::uint8_t { kMatMul = 1, kGetRows = 2, kVector = 4 };
using WeightUses = std::uint8_t;  // bitwise or of WeightUse

// The question put to plan: a node with the types and shapes around it. Spans live for the call only.
struct NodeSpec {
  ModelId model = 0;
  const Op* op = nullptr;
  std::span<const TensorDesc> inputs;
  TensorDesc output;
  std::span<const WeightRef> weights;
  std::string_view label;  // for messages
};

// The answer: which kernel runs the node and what it costs, chosen here and never inside execute.
struct Plan {
  bool supported = false;
  std::string reason;  // why not, where unsupported
  std::string kernel;  // label of the chosen candidate, e.g. "matmul q4_0 avx2"
  // The type that input 0 must have. Where it differs from the input asked about (a matrix product of a
  // quantized weight that was shown a float32 input), the lowering pass converts and asks again.
  DType input_type = DType::kF32;
  std::size_t workspace_bytes = 0;
  std::uint64_t bytes_moved = 0;  // that a perfect implementation must read and write
  std::uint64_t flops = 0;        // a multiply-add is two
  // What the kernel rounds products by, relative to the sum of their magnitudes, where it computes in a smaller type
  // than its operands have: 2^-11 where both are rounded to float16. Tests allow for it.
  double rounding = 0;
  std::shared_ptr<const void> state;  // the backend's own: resolved weights, candidate, parameters
};

struct PlannedNode {
  const Node* node = nullptr;
  Plan plan;
};

// The two persistent regions of a layer's KV cache on this device.
struct KvRegion {
  BufferId k = kNoBuffer;
  BufferId v = kNoBuffer;
  std::int64_t n_cells = 0;
};

class KvProvider {
 public:
  virtual ~KvProvider() = default;
  virtual KvRegion kv_pair(int layer) const = 0;
};

// Everything a node reads and writes in one run.
struct NodeBuffers {
  std::span<const BufferRef> inputs;
  BufferRef output;
  BufferRef workspace;
  KvRegion kv;  // only for ops that touch the KV cache
};

// A maximal run of nodes of one device: nodes [first, last) of a compiled graph.
struct Split {
  std::uint64_t graph_id = 0;  // unique per compiled graph in this process
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::int64_t n_tokens = 0;
  bool may_replay = true;  // false: each node must be executed, because the run is being observed
};

enum class FusedKind : std::uint8_t {
  kQuantizeEpilogue,
  kSwiGLU,
  kFusedQKV,
  kQkvBiasRopeStore,
  kFusedFFN,
  kMatMulAdd
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;    // "cpu", "reference"
  virtual std::string description() const = 0;  // for people: processor, instruction set, threads
  virtual MemoryInfo memory() const = 0;
  virtual DeviceClocks clocks() const { return {}; }  // of a GPU, at this moment

  // Whether and how this device runs a node. Weights must be registered (an unregistered one is "unsupported",
  // naming it). Never throws for anything it merely does not support.
  virtual Plan plan(const NodeSpec& spec) const = 0;
  virtual bool supports_fused(FusedKind kind) const = 0;
  // Whether attention reads cells of this type as they are stored.
  virtual bool reads_packed_kv(DType cell) const = 0;
  // Whether runs are recorded and replayed, on memory of the device's own: numbers of tokens are then better rounded up
  // to a few sizes, and KV cells better kept small.
  virtual bool is_gpu() const { return false; }

  // Declares a weight. The bytes stay the caller's and must outlive release_model; a backend with its own memory
  // may copy them at the first run. Registering the same (model, name) again does nothing.
  virtual void register_weight(ModelId model, std::string_view name, const TensorView& view,
                               WeightUses uses) = 0;
  virtual bool has_weight(ModelId model, std::string_view name) const = 0;
  // Forgets the weights of a model. REQUIRES: no compiled graph reads them any more.
  virtual void release_model(ModelId model) = 0;

  // Called for each node once the graph that it belongs to is about to run: brings what it reads to the device.
  // Throws OutOfMemoryError.
  virtual void prepare(const PlannedNode&) {}

  // Memory of the device, aligned to 64 bytes, contents unspecified, committed when first touched where the
  // system can. Throws OutOfMemoryError with needed and available bytes.
  virtual BufferId allocate(std::size_t bytes) = 0;
  virtual void release(BufferId buffer) = 0;
  // Copies host bytes in or out. A write has taken its bytes when it returns; it may reach the device later, but is
  // ordered before later work. A read waits for earlier work.
  virtual void write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) = 0;
  virtual void read(BufferId buffer, std::size_t offset, std::span<std::byte> bytes) = 0;
  // The buffer in host memory, or null where it is not host-addressable. Contents are valid after synchronize.
  virtual std::byte* host_view(BufferId buffer) = 0;

  // Opens a split. True: the device replayed the whole split, so execute is not called for its nodes.
  virtual bool begin(const Split& split) = 0;
  virtual void execute(const PlannedNode& node, const NodeBuffers& buffers) = 0;
  virtual void end(const Split& split) = 0;
  virtual void abort(const Split& split) noexcept = 0;  // after an exception between begin and end
  virtual void synchronize() = 0;
  // Seconds that the last executed node of an observed split (may_replay false) took on the device itself; nothing
  // where only the host's clock tells. REQUIRES: synchronized.
  virtual std::optional<double> node_seconds() { return std::nullopt; }
  // Bytes per second that large copies within the device's own memory read and write, measured now; 0 where that is the
  // host's memory.
  virtual double measure_copy_rate() { return 0; }
};

}  // namespace minfer
