// The kernels of one cell type, for each size of tiles.
#pragma once

#include "backends/cuda/attention/decode.cuh"
#include "backends/cuda/attention/prefill.cuh"
#include "backends/cuda/attention/tensor_core.h"

namespace minfer::cuda {

template <DType kCell, int kDim, int kPrefillQParts, int kKvParts>
AttentionUnit make_attention_unit() {
  using D = DecodeShared<kCell, kDim, 2, kKvParts>;
  using P = PrefillShared<kCell, kDim, kPrefillQParts, kKvParts>;
  return {reinterpret_cast<const void*>(attention_decode_kernel<kCell, kDim, 2, kKvParts>),
          D::kBytes,
          reinterpret_cast<const void*>(attention_prefill_kernel<kCell, kDim, kPrefillQParts, kKvParts>),
          P::kBytes,
          P::kRows,
          32 * P::kWarps};
}

template <DType kCell, int kPrefillQParts, int kKvParts>
AttentionUnit find_attention_unit(int tile_dim) {
  switch (tile_dim) {
    case 64:
      return make_attention_unit<kCell, 64, kPrefillQParts, kKvParts>();
    case 96:
      return make_attention_unit<kCell, 96, kPrefillQParts, kKvParts>();
    case 128:
      return make_attention_unit<kCell, 128, kPrefillQParts, kKvParts>();
    case 192:
      return make_attention_unit<kCell, 192, kPrefillQParts, kKvParts>();
    default:
      return make_attention_unit<kCell, 256, kPrefillQParts, kKvParts>();
  }
}

}  // namespace minfer::cuda
