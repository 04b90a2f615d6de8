#include "backends/cuda/matmul/mmvq_unit.cuh"

MINFER_MMVQ_UNIT(mmvq_q8_0, kQ8_0, kPlanar, 4)
