#include "backends/cuda/matmul/mmvq_unit.cuh"

MINFER_MMVQ_UNIT(mmvq_q6_k_raw, kQ6_K, kRaw, 2)
