#include "backends/cuda/attention/tensor_core_unit.cuh"

namespace minfer::cuda {

AttentionUnit attention_unit_q8_0(int tile_dim) { return find_attention_unit<DType::kQ8_0, 1, 1>(tile_dim); }

}  // namespace minfer::cuda
