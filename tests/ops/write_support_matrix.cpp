// Prints docs/support-matrix.md.
#include <cstdio>

#include "support_matrix.h"

int main() { std::fputs(minfer::test::support_matrix().c_str(), stdout); }
