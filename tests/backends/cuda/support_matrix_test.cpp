#include <gtest/gtest.h>

#include "cuda_support_matrix.h"
#include "support/data.h"

namespace minfer::test {
namespace {

TEST(CudaSupportMatrix, ThePageInDocsIsUpToDate) {
  EXPECT_EQ(read_text(std::filesystem::path(MINFER_DOCS) / "support-matrix-cuda.md"), cuda_support_matrix())
      << "out of date; it says itself how it is written anew";
}

}  // namespace
}  // namespace minfer::test
