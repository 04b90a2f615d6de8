#include "backends/cuda/matmul/mmvq_unit.cuh"

MINFER_MMVQ_UNIT(mmvq_q5_0_raw, kQ5_0, kRaw, 4)
