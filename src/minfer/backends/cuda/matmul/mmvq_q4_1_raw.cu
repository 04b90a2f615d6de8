#include "backends/cuda/matmul/mmvq_unit.cuh"

MINFER_MMVQ_UNIT(mmvq_q4_1_raw, kQ4_1, kRaw, 4)
