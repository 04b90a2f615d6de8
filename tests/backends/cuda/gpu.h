// Tests of the CUDA backend that need a device skip where there is none, and say so.
#pragma once

#include <gtest/gtest.h>

#include "backends/cuda/device/driver.h"

#define MINFER_NEED_GPU() \
  if (minfer::cuda::device_count() == 0) GTEST_SKIP() << "there is no CUDA device"
