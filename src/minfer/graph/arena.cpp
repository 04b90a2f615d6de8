#include "graph/arena.h"

namespace minfer {

Arena::Arena(std::span<Backend* const> devices) {
  for (Backend* device : devices) slabs_.push_back({device, kNoBuffer, 0});
}

Arena::~Arena() {
  for (const Slab& slab : slabs_)
    if (slab.buffer != kNoBuffer) slab.device->release(slab.buffer);
}

void Arena::reserve(DeviceId device, std::size_t bytes) {
  Slab& slab = slabs_[static_cast<std::size_t>(device)];
  if (bytes <= slab.bytes) return;
  ++generation_;
  // The old buffer goes first: both together may be more than the device has.
  if (slab.buffer != kNoBuffer) slab.device->release(slab.buffer);
  slab.buffer = kNoBuffer;
  slab.bytes = 0;
  slab.buffer = slab.device->allocate(bytes);
  slab.bytes = bytes;
}

}  // namespace minfer
