#include "backends/cuda/matmul/mmvq_unit.cuh"

MINFER_MMVQ_UNIT(mmvq_q4_0_raw, kQ4_0, kRaw, 4)
