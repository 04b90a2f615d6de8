// Prints docs/support-matrix-cuda.md.
#include <cstdio>

#include "cuda_support_matrix.h"

int main() { std::fputs(minfer::test::cuda_support_matrix().c_str(), stdout); }
