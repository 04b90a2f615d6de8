#include "backends/cuda/attention/tensor_core_unit.cuh"

namespace minfer::cuda {

AttentionUnit attention_unit_f16(int tile_dim) { return find_attention_unit<DType::kF16, 1, 1>(tile_dim); }

}  // namespace minfer::cuda
