#include "backends/cuda/matmul/mmvq_unit.cuh"

MINFER_MMVQ_UNIT(mmvq_q4_1, kQ4_1, kPlanar, 4)
