// What a device can do, read at run time. Plain header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer::cuda {

struct DeviceLimits {
  int ordinal = 0;             // CUDA's number of the device
  int compute_capability = 0;  // 10 * major + minor: 90 for Hopper
  int n_sms = 0;
  std::size_t shared_per_block = 0;  // bytes, with opt-in
  std::size_t shared_per_sm = 0;
  std::size_t l2_bytes = 0;
  std::uint64_t memory_bytes = 0;

  bool has_cp_async() const { return compute_capability >= 80; }
  bool has_wgmma() const { return compute_capability == 90; }  // only in code built for sm_90a
};

}  // namespace minfer::cuda
