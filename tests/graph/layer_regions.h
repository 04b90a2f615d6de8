// KV regions for a graph that is run without an engine.
#pragma once

#include <map>

#include "backends/backend.h"
#include "graph/compiled_graph.h"
#include "models/hyperparameters.h"
#include "ops/kv_geometry.h"

namespace minfer::test {

// Two regions of one page for each layer, on the device that the graph gave the layer to. They stay with that device.
class LayerRegions final : public KvProvider {
 public:
  LayerRegions(const CompiledGraph& graph, const Hyperparameters& hparams, DType cell) {
    const std::size_t bytes = row_bytes(cell, hparams.n_kv()) * kKvPageSize;
    for (int layer = 0; layer < hparams.n_layer; ++layer) {
      Backend& device = graph.device(graph.kv_device(layer));
      regions_[layer] = {device.allocate(bytes), device.allocate(bytes), kKvPageSize};
    }
  }
  KvRegion kv_pair(int layer) const override { return regions_.at(layer); }

 private:
  std::map<int, KvRegion> regions_;
};

}  // namespace minfer::test
