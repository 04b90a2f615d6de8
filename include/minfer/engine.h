// Runs a model: sequences with their KV cache, batches of tokens in, logits out. One thread at a time uses an
// engine. Results depend on the tokens of a sequence alone: not on the number of threads, on how a prompt is cut
// into batches, on other sequences of the batch, or on which pages of the cache are used.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "minfer/model.h"

namespace minfer {

using SequenceId = std::int32_t;

// Positions that the cache hands out, and commits memory for, together.
inline constexpr int kKvPagePositions = 64;

// kDefault: f16 on a GPU where the cache of a position has 8192 keys or more, else f32.
enum class KvCellType : std::uint8_t { kDefault, kF32, kF16, kQ8_0 };

struct EngineOptions {
  int n_ctx = 0;        // positions a sequence may have; 0: the smaller of the trained context and 4096
  int n_sequences = 1;  // that may exist at once
  int n_ubatch = 0;     // tokens computed together at most; 0: 512, on a GPU 2048
  int n_threads = 0;    // 0: as many as the processor cores that this process may use
  KvCellType kv_cell = KvCellType::kDefault;
  std::string backend;  // "", or the name of one to use alone: "cpu", "cuda", "reference"
  // Number of the GPU to use: an error where it is not there or cannot run the model. -1: the best one, or the CPU.
  int gpu = -1;
  bool fuse = true;  // fusion rules on; results do not depend on it
};

// Names of the backends of this build, in order of preference; EngineOptions::backend takes one.
std::vector<std::string> built_backends();

struct BatchToken {
  SequenceId sequence = 0;
  TokenId token = 0;
  bool logits = false;  // whether the logits after this token are wanted
};

// What a run would do, known before it: the nodes in order, each with its kernel.
struct PlannedWeight {
  std::string name;  // "blk.3.ffn_gate.weight"
  std::string type;  // "q4_K"
  std::uint64_t bytes = 0;
};
struct PlannedKernel {
  std::string label;    // "blk.3.ffn_gate"
  std::string op;       // "MatMul"
  std::string backend;  // "cpu"
  std::string kernel;   // "matmul q4_K avx512 gemm"
  std::vector<PlannedWeight> weights;
  std::uint64_t bytes_moved = 0;  // that a perfect implementation must read and write
  std::uint64_t flops = 0;        // a multiply-add is two
};
struct RunPlan {
  std::vector<PlannedKernel> kernels;
  std::uint64_t activation_bytes = 0;  // of all backends: values between nodes, and workspaces
};

// Of a GPU, at this moment; 0 where that is not known, and for the CPU.
struct ClockRates {
  int core_mhz = 0;
  int memory_mhz = 0;
};

struct EngineStats {
  std::int64_t graphs_built = 0;
  std::int64_t graphs_reused = 0;
  std::int64_t pages_used = 0;     // KV pages held by sequences
  std::int64_t pages_touched = 0;  // KV pages that were ever held, so that memory is committed for them
};

class Engine {
 public:
  Engine(std::shared_ptr<const Model> model, const EngineOptions& options);
  ~Engine();

  const Model& model() const;
  const EngineOptions& options() const;  // with defaults filled in
  std::string description() const;       // device, instruction set, threads
  std::string backend() const;           // name of the one that runs the model's layers: "cpu", "cuda"
  // Bytes per second that copies within the device's own memory read and write; 0 for the CPU.
  double measure_copy_rate();
  ClockRates clock_rates() const;
  EngineStats stats() const;
  std::uint64_t kv_bytes_per_position() const;  // keys and values of all layers, as they are stored

  // An empty sequence. Throws InvalidRequestError when n_sequences exist.
  SequenceId create_sequence();
  void free_sequence(SequenceId sequence);
  int length(SequenceId sequence) const;  // positions it holds
  // A new sequence with the same contents; pages are shared until one of the two writes to them.
  SequenceId fork(SequenceId sequence);
  // Keeps the first `length` positions.
  void truncate(SequenceId sequence, int length);
  // Removes positions [first, last); later ones move down (their keys are rotated by the offset).
  void remove_range(SequenceId sequence, int first, int last);

  // Appends each token to its sequence, in order, and computes. Throws InvalidRequestError for a token or sequence
  // that does not exist or a sequence that would exceed n_ctx, CancelledError when stopped: every sequence then has
  // its former length.
  void decode(std::span<const BatchToken> batch, const std::stop_token& stop = {});
  // Logits (n_vocab) after the i-th token of the last batch that asked for them; valid until the next decode.
  // All finite: a non-finite one makes decode throw an error that names layer and op.
  std::span<const float> logits(int i) const;
  int n_logit_rows() const;

  // A table of time, bytes and rates per kind of op since the last call, where MINFER_OP_TIMING is set, else "".
  std::string take_op_timing();
  // The run of n_tokens of one sequence, with logits after the last. Throws InvalidRequestError unless n_tokens is
  // from 1 to n_ubatch. Computes nothing.
  RunPlan plan(int n_tokens);
  // Device and kernel of each node of the last graph run.
  std::string describe_graph() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace minfer
