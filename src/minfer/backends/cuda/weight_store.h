// The weights on the device, by (model, name). Declared when a model is loaded, uploaded when a graph that reads them
// is bound: a model that does not run here costs nothing. A model's weights lie in one block of memory, because the
// driver rounds each one up to 2 MiB.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/device/device.h"
#include "backends/cuda/device/host_copies.h"
#include "backends/cuda/kernel_table.h"

namespace minfer::cuda {

class WeightStore {
 public:
  struct Model;
  struct Entry {
    Model* model = nullptr;  // that it belongs to
    TensorView host;         // the model file's bytes
    WeightUses uses = 0;
    DeviceWeight device;  // pointers are null until uploaded
    bool uploaded = false;
  };

  // `limits` choose the layouts, unless all weights are to lie as in the file; must outlive this.
  explicit WeightStore(const DeviceLimits& limits, bool as_in_file = false)
      : limits_(limits), as_in_file_(as_in_file) {}
  ~WeightStore();
  WeightStore(const WeightStore&) = delete;
  WeightStore& operator=(const WeightStore&) = delete;

  // Declaring the same (model, name) again adds its uses, as long as it was not uploaded, and does nothing else.
  // Throws InternalError where the view has fewer bytes than its description needs.
  void add(ModelId model, std::string_view name, const TensorView& view, WeightUses uses);
  const Entry* find(ModelId model, std::string_view name) const;  // stable until the model is released
  // Brings a weight to the device, in the layouts that its uses need. Does nothing where it is there. Throws
  // OutOfMemoryError.
  void upload(const Entry& entry, Device& device, UploadRing& ring);
  // REQUIRES: the device is idle, and nothing refers to the model's weights any more.
  void release_model(ModelId model);

  std::size_t bytes_on_device() const { return bytes_; }

 private:
  void upload_matrix(Entry& entry, Device& device, UploadRing& ring);
  std::byte* allocate(Model& model, std::size_t bytes);
  std::byte* allocate_block(Model& model, std::size_t bytes);
  void free_model(const Model& model) noexcept;

  const DeviceLimits& limits_;
  bool as_in_file_;
  std::map<ModelId, Model> models_;
  std::size_t bytes_ = 0;
};

struct WeightStore::Model {
  struct Block {
    std::byte* memory;
    std::size_t bytes;
  };
  std::map<std::string, Entry, std::less<>> weights;
  // The first one has room for all weights that were declared when it was taken; later ones hold a weight each.
  std::vector<Block> blocks;
  std::size_t used = 0;  // of the first one
};

}  // namespace minfer::cuda
