#include "backends/cuda/weight_store.h"

#include <algorithm>
#include <memory>

#include "backends/cuda/device/buffer_pool.h"
#include "backends/cuda/matmul/weight_layout.h"
#include "base/check.h"

namespace minfer::cuda {
namespace {

// Kernels load up to 16 bytes where a matrix ends in the middle of them.
constexpr std::size_t kPadding = 256;
constexpr std::size_t kPassingBytes = std::size_t{16} << 20;

bool has_use(WeightUses uses, WeightUse use) { return (uses & static_cast<WeightUses>(use)) != 0; }

bool needs_raw(const WeightStore::Entry& entry) {
  return has_use(entry.uses, WeightUse::kGetRows) || has_use(entry.uses, WeightUse::kVector) ||
         entry.device.matrix.layout == WeightLayout::kRaw;
}

// What a stretch of memory for so many bytes takes up in a block.
std::size_t padded(std::size_t bytes) { return (bytes + 255) / 256 * 256 + kPadding; }

std::size_t bytes_of(const WeightMatrix& m) { return layout_bytes(m.layout, m.type, m.n, m.k); }

std::size_t bytes_of(const WeightStore::Entry& entry) {
  const std::size_t raw = needs_raw(entry) ? padded(tensor_bytes(entry.host.desc)) : 0;
  return raw + (entry.device.matrix.layout == WeightLayout::kRaw ? 0 : padded(bytes_of(entry.device.matrix)));
}

}  // namespace

WeightStore::~WeightStore() {
  for (const auto& [id, model] : models_) free_model(model);
}

void WeightStore::add(ModelId model, std::string_view name, const TensorView& view, WeightUses uses) {
  MINFER_CHECK(view.data && view.bytes >= tensor_bytes(view.desc), "weight {}: {} bytes for {} {}", name,
               view.bytes, dtype_name(view.desc.dtype), to_string(view.desc.shape));
  Model& owner = models_[model];
  const auto [it, added] = owner.weights.try_emplace(std::string(name));
  Entry& entry = it->second;
  entry.model = &owner;
  if (!entry.uploaded) entry.uses |= uses;
  if (!added) return;
  entry.host = view;
  const std::int64_t n = view.desc.shape.rows();
  const std::int64_t k = view.desc.shape.cols();
  entry.device.desc = view.desc;
  entry.device.host = view.data;
  const bool repack = has_use(uses, WeightUse::kMatMul) && !as_in_file_;
  const WeightLayout layout = repack ? choose_layout(limits_, view.desc.dtype, n, k) : WeightLayout::kRaw;
  entry.device.matrix = {
      nullptr, view.desc.dtype, layout, n, k, static_cast<std::int64_t>(row_bytes(view.desc.dtype, k))};
}

const WeightStore::Entry* WeightStore::find(ModelId id, std::string_view name) const {
  const auto model = models_.find(id);
  if (model == models_.end()) return nullptr;
  const auto entry = model->second.weights.find(name);
  return entry == model->second.weights.end() ? nullptr : &entry->second;
}

std::byte* WeightStore::allocate_block(Model& model, std::size_t bytes) {
  std::byte* memory = allocate_device_memory(bytes, "a model's weights");
  model.blocks.push_back({memory, bytes});
  bytes_ += bytes;
  return memory;
}

std::byte* WeightStore::allocate(Model& model, std::size_t bytes) {
  if (model.blocks.empty()) {
    std::size_t all = 0;
    for (const auto& [name, entry] : model.weights) all += bytes_of(entry);
    allocate_block(model, all);
  }
  const std::size_t taken = padded(bytes);
  if (model.used + taken > model.blocks.front().bytes) return allocate_block(model, taken);
  std::byte* memory = model.blocks.front().memory + model.used;
  model.used += taken;
  return memory;
}

// Rows that lie on the device as in the file are converted there. Where only products read the matrix, they pass
// through a small buffer, a few rows at a time.
void WeightStore::upload_matrix(Entry& entry, Device& device, UploadRing& ring) {
  WeightMatrix& matrix = entry.device.matrix;
  std::byte* packed = allocate(*entry.model, bytes_of(matrix));
  matrix.data = packed;
  if (entry.device.raw) {
    ring.flush();
    return launch_repack(matrix, {0, matrix.n}, entry.device.raw, packed, device.stream());
  }
  const std::size_t bytes = tensor_bytes(entry.host.desc), row = bytes / static_cast<std::size_t>(matrix.n);
  const auto n_rows = static_cast<std::int64_t>(std::max<std::size_t>(kPassingBytes / row, 1));
  const std::unique_ptr<std::byte, FreeDeviceMemory> passing(allocate_device_memory(
      static_cast<std::size_t>(std::min(n_rows, matrix.n)) * row, "a weight on its way"));
  for (std::int64_t first = 0; first < matrix.n; first += n_rows) {
    const std::int64_t n = std::min(n_rows, matrix.n - first);
    const std::byte* from = entry.host.data + static_cast<std::size_t>(first) * row;
    ring.write(passing.get(), {from, static_cast<std::size_t>(n) * row});
    ring.flush();
    launch_repack(matrix, {first, n}, passing.get(), packed, device.stream());
  }
  device.synchronize();  // the conversions read the buffer
}

void WeightStore::upload(const Entry& asked, Device& device, UploadRing& ring) {
  if (asked.uploaded) return;
  Entry& entry = const_cast<Entry&>(asked);  // one of ours
  if (needs_raw(entry)) {
    const std::size_t bytes = tensor_bytes(entry.host.desc);
    std::byte* memory = allocate(*entry.model, bytes);
    ring.write(memory, {entry.host.data, bytes});
    entry.device.raw = memory;
  }
  if (entry.device.matrix.layout == WeightLayout::kRaw) {
    entry.device.matrix.data = entry.device.raw;
  } else {
    upload_matrix(entry, device, ring);
  }
  entry.uploaded = true;
}

void WeightStore::free_model(const Model& model) noexcept {
  for (const Model::Block& block : model.blocks) {
    free_device_memory(block.memory);
    bytes_ -= block.bytes;
  }
}

void WeightStore::release_model(ModelId id) {
  const auto model = models_.find(id);
  if (model == models_.end()) return;
  free_model(model->second);
  models_.erase(model);
}

}  // namespace minfer::cuda
