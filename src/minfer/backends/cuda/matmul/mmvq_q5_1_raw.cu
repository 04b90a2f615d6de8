#include "backends/cuda/matmul/mmvq_unit.cuh"

MINFER_MMVQ_UNIT(mmvq_q5_1_raw, kQ5_1, kRaw, 4)
