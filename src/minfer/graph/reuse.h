// Compiled graphs kept for reuse: equal parameters give the same graph, so that decoding does not rebuild
// one, also where prefill chunks and decode steps alternate.
#pragma once

#include <memory>
#include <vector>

#include "graph/arena.h"
#include "graph/compile.h"
#include "graph/compiled_graph.h"

namespace minfer {

// Everything that shapes a graph. What is not here (tokens, positions, cells, page tables) is data.
struct GraphParams {
  ModelId model = 0;
  std::int64_t n_tokens = 0;
  std::int64_t n_logit_rows = 0;
  std::int64_t n_slots = 0;    // rows of the page table
  std::int64_t max_pages = 0;  // its columns
  DType kv_cell = DType::kF32;
  bool fuse_qkv = true;
  bool fuse_ffn = true;
  bool gpu = true;  // false: the last device runs everything
  bool operator==(const GraphParams&) const = default;
};

// Holds the most recently used graphs and the arena that they share: one of them runs at a time, and the
// results of one are gone when another runs.
class GraphCache {
 public:
  // `options` apply to each graph, except for what its parameters say. A dump file is started anew.
  GraphCache(std::span<Backend* const> devices, CompileOptions options, std::size_t capacity = 16);

  // The graph of these parameters, built and compiled if it is not here: build() returns the Graph. The
  // reference is good until `capacity` other graphs were asked for.
  template <class Build>
  CompiledGraph& get(const GraphParams& params, Build&& build) {
    if (CompiledGraph* known = find(params)) return *known;
    return insert(params, build());
  }

  std::int64_t builds() const { return builds_; }
  std::int64_t hits() const { return hits_; }
  std::size_t size() const { return entries_.size(); }
  // Drops the graphs of a model, which must happen before its weights go.
  void forget(ModelId model);
  const Arena& arena() const { return arena_; }

 private:
  struct Entry {
    GraphParams params;
    std::unique_ptr<CompiledGraph> graph;
    std::int64_t last_use = 0;
  };

  CompiledGraph* find(const GraphParams& params);
  CompiledGraph& insert(const GraphParams& params, Graph graph);
  void make_room();

  std::vector<Backend*> devices_;
  CompileOptions options_;
  std::size_t capacity_;
  Arena arena_;
  std::vector<Entry> entries_;
  std::int64_t clock_ = 0;
  std::int64_t builds_ = 0;
  std::int64_t hits_ = 0;
};

}  // namespace minfer
