#pragma once

#include <cstddef>

namespace minfer::test {

// How often this process has called operator new: the difference around a piece of code is what it allocates.
std::size_t allocation_count();

}  // namespace minfer::test
