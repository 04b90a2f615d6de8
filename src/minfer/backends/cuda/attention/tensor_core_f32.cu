#include "backends/cuda/attention/tensor_core_unit.cuh"

namespace minfer::cuda {

AttentionUnit attention_unit_f32(int tile_dim) { return find_attention_unit<DType::kF32, 2, 2>(tile_dim); }

}  // namespace minfer::cuda
