#include "backends/cuda/weight_store.h"

#include "backends/cuda/device/buffer_pool.h"
#include "backends/cuda/matmul/weight_layout.h"
#include "base/check.h"

namespace minfer::cuda {
namespace {

// Kernels load up to 16 bytes where a matrix ends in the middle of them.
constexpr std::size_t kPadding = 256;

bool has_use(WeightUses uses, WeightUse use) { return (uses & static_cast<WeightUses>(use)) != 0; }

bool needs_raw(const WeightStore::Entry& entry) {
  return has_use(entry.uses, WeightUse::kGetRows) || has_use(entry.uses, WeightUse::kVector) ||
         entry.device.matrix.layout == WeightLayout::kRaw;
}

}  // namespace

WeightStore::~WeightStore() {
  for (const auto& [model, weights] : models_)
    for (const auto& [name, entry] : weights) free_entry(entry);
}

void WeightStore::add(ModelId model, std::string_view name, const TensorView& view, WeightUses uses) {
  MINFER_CHECK(view.data && view.bytes >= tensor_bytes(view.desc), "weight {}: {} bytes for {} {}", name,
               view.bytes, dtype_name(view.desc.dtype), to_string(view.desc.shape));
  const auto [it, added] = models_[model].try_emplace(std::string(name));
  Entry& entry = it->second;
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

const WeightStore::Entry* WeightStore::find(ModelId model, std::string_view name) const {
  const auto weights = models_.find(model);
  if (weights == models_.end()) return nullptr;
  const auto entry = weights->second.find(name);
  return entry == weights->second.end() ? nullptr : &entry->second;
}

std::byte* WeightStore::allocate(std::size_t bytes) {
  std::byte* memory = allocate_device_memory(bytes + kPadding, "a weight");
  bytes_ += bytes + kPadding;
  return memory;
}

void WeightStore::free(const void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  free_device_memory(const_cast<std::byte*>(static_cast<const std::byte*>(memory)));
  bytes_ -= bytes + kPadding;
}

const std::byte* WeightStore::upload_raw(const Entry& entry, UploadRing& ring) {
  const std::size_t bytes = tensor_bytes(entry.host.desc);
  std::byte* memory = allocate(bytes);
  ring.write(memory, {entry.host.data, bytes});
  return memory;
}

void WeightStore::upload_matrix(Entry& entry, Device& device, UploadRing& ring) {
  WeightMatrix& matrix = entry.device.matrix;
  const void* raw = entry.device.raw ? entry.device.raw : upload_raw(entry, ring);
  std::byte* packed = allocate(layout_bytes(matrix.layout, matrix.type, matrix.n, matrix.k));
  ring.flush();
  launch_repack(matrix.layout, matrix.type, matrix.n, matrix.k, raw, packed, device.stream());
  matrix.data = packed;
  if (raw == entry.device.raw) return;
  device.synchronize();  // the bytes that are freed were read by the conversion
  free(raw, tensor_bytes(entry.host.desc));
}

void WeightStore::upload(const Entry& asked, Device& device, UploadRing& ring) {
  if (asked.uploaded) return;
  Entry& entry = const_cast<Entry&>(asked);  // one of ours
  if (needs_raw(entry)) entry.device.raw = upload_raw(entry, ring);
  if (entry.device.matrix.layout == WeightLayout::kRaw) {
    entry.device.matrix.data = entry.device.raw;
  } else {
    upload_matrix(entry, device, ring);
  }
  entry.uploaded = true;
}

void WeightStore::free_entry(const Entry& entry) noexcept {
  const WeightMatrix& matrix = entry.device.matrix;
  free(entry.device.raw, tensor_bytes(entry.host.desc));
  if (matrix.layout == WeightLayout::kRaw) return;
  free(matrix.data, layout_bytes(matrix.layout, matrix.type, matrix.n, matrix.k));
}

void WeightStore::release_model(ModelId model) {
  const auto weights = models_.find(model);
  if (weights == models_.end()) return;
  for (const auto& [name, entry] : weights->second) free_entry(entry);
  models_.erase(weights);
}

}  // namespace minfer::cuda
