#include "backends/cuda/matmul/mmq.cuh"

namespace minfer::cuda {

MmqVariant mmq_q8_0(int tile_tokens, bool pairs) {
  return find_mmq_variant<DType::kQ8_0>(tile_tokens, pairs);
}

}  // namespace minfer::cuda
