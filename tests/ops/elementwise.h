// The shapes that element-by-element ops are tried with.
#pragma once

#include <array>

#include "tensor/shape.h"

namespace minfer::test {

inline const std::array kElementwiseShapes = {Shape{1, 1}, Shape{5, 3}, Shape{64, 7}, Shape{100, 33},
                                              Shape{1024, 2}};

}  // namespace minfer::test
