#include "backends/cuda/matmul/mmq.cuh"

namespace minfer::cuda {

MmqVariant mmq_q6_k(int tile_tokens, bool pairs) {
  return find_mmq_variant<DType::kQ6_K>(tile_tokens, pairs);
}

}  // namespace minfer::cuda
