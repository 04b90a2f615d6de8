#include "backends/cuda/matmul/mmvq_unit.cuh"

MINFER_MMVQ_UNIT(mmvq_q6_k, kQ6_K, kPlanar, 2)
