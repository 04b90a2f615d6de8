#include "backends/cuda/matmul/mmq.cuh"

namespace minfer::cuda {

MmqVariant mmq_q4_k(int tile_tokens, bool pairs) {
  return find_mmq_variant<DType::kQ4_K>(tile_tokens, pairs);
}

}  // namespace minfer::cuda
