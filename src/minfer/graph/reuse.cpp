#include "graph/reuse.h"

#include <algorithm>
#include <fstream>

#include "base/check.h"

namespace minfer {

GraphCache::GraphCache(std::span<Backend* const> devices, CompileOptions options, std::size_t capacity)
    : devices_(devices.begin(), devices.end()),
      options_(std::move(options)),
      capacity_(capacity),
      arena_(devices) {
  MINFER_CHECK(capacity > 0, "a cache for no graph");
  if (!options_.dump_path.empty()) std::ofstream(options_.dump_path, std::ios::trunc);
}

CompiledGraph* GraphCache::find(const GraphParams& params) {
  const auto entry = std::ranges::find(entries_, params, &Entry::params);
  if (entry == entries_.end()) return nullptr;
  entry->last_use = ++clock_;
  ++hits_;
  return entry->graph.get();
}

CompiledGraph& GraphCache::insert(const GraphParams& params, Graph graph) {
  CompileOptions options = options_;
  options.fuse_qkv = options.fuse_qkv && params.fuse_qkv;
  options.fuse_ffn = options.fuse_ffn && params.fuse_ffn;
  options.last_device_only = options.last_device_only || !params.gpu;
  std::unique_ptr<CompiledGraph> compiled = compile(std::move(graph), devices_, options);
  ++builds_;
  compiled->bind(arena_);
  make_room();
  entries_.push_back({params, std::move(compiled), ++clock_});
  return *entries_.back().graph;
}

void GraphCache::make_room() {
  if (entries_.size() < capacity_) return;
  entries_.erase(std::ranges::min_element(entries_, {}, &Entry::last_use));
}

void GraphCache::forget(ModelId model) {
  std::erase_if(entries_, [model](const Entry& entry) { return entry.params.model == model; });
}

}  // namespace minfer
