#include "backends/cuda/matmul/mmvq_unit.cuh"

MINFER_MMVQ_UNIT(mmvq_q8_0_raw, kQ8_0, kRaw, 4)
