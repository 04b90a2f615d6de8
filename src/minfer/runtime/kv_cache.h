// The KV cache of an engine: per layer two regions of cells on the device, handed out to sequences in pages of
// kKvPageSize positions. Position p of a sequence is cell pages[p / kKvPageSize] * kKvPageSize + p % kKvPageSize.
#pragma once

#include <vector>

#include "backends/backend.h"
#include "runtime/page_pool.h"

namespace minfer {

// What one sequence holds.
struct Sequence {
  std::vector<std::int32_t> pages;
  int length = 0;  // positions stored
};

// How keys move when positions do: rotation of pair i by offset * frequencies[i].
struct KeyRotation {
  RopeStyle style = RopeStyle::kNeox;
  int n_dims = 0;
  std::vector<double> frequencies;  // radians per position, n_dims / 2
};

class KvCache final : public KvProvider {
 public:
  // Regions for n_pages pages on the device, and for one more that no sequence gets: padding tokens write there
  // (`spare_page`). The layers' geometry differs in `layer` only.
  KvCache(Backend& device, int n_layer, const KvGeometry& geometry, std::int32_t n_pages,
          bool spare_page = false);
  ~KvCache() override;
  KvCache(const KvCache&) = delete;
  KvCache& operator=(const KvCache&) = delete;

  KvRegion kv_pair(int layer) const override;
  // First cell of the spare page. REQUIRES: there is one.
  std::int32_t spare_cell() const { return pool_.n_pages() * kKvPageSize; }
  DType cell() const { return geometry_.cell; }
  const PagePool& pool() const { return pool_; }
  std::size_t bytes_per_position() const { return 2 * regions_.size() * geometry_.row_bytes(); }

  // Makes room for n_new positions after the sequence's length, copying a shared last page first. All or nothing:
  // throws OutOfMemoryError and leaves the sequence as it was. The length is the caller's to change.
  void reserve(Sequence& sequence, int n_new);
  // Keeps the pages that the first `length` positions need.
  void truncate(Sequence& sequence, int length);
  void release(Sequence& sequence);
  Sequence fork(const Sequence& sequence);
  // Removes positions [first, last) and moves later ones down, rotating their keys by the offset.
  void remove_range(Sequence& sequence, int first, int last, const KeyRotation& rotation);

 private:
  void release_regions() noexcept;
  void make_writable(Sequence& sequence, int page_index);
  void copy_page(std::int32_t from, std::int32_t to);
  template <class Visit>
  void for_each_stretch(const Sequence& sequence, int first, int last, Visit visit) const;
  void move_rows(const Sequence& sequence, int first, int last, const KeyRotation& rotation, int layer);

  Backend& device_;
  KvGeometry geometry_;
  PagePool pool_;
  std::vector<KvRegion> regions_;
};

}  // namespace minfer
