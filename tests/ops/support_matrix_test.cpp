#include "support_matrix.h"

#include <gtest/gtest.h>

#include "backends/reference/reference_backend.h"
#include "support/data.h"

namespace minfer::test {
namespace {

OpCase store(DType cell) {
  return {.variant = "v",
          .op = KvStore{.kv = {.layer = 0, .n_head_kv = 1, .head_dim = 32, .cell = cell}},
          .inputs = {floats({32, 1}), floats({32, 1}), ints({1}, {0})}};
}

TEST(SupportMatrix, SaysHowManyCasesOfAVariantRunAndWhyTheOthersDoNot) {
  ReferenceBackend reference;
  EXPECT_EQ(support_of(reference, {store(DType::kF32)}), "yes");
  EXPECT_EQ(support_of(reference, {store(DType::kQ4_0)}), "no: KV cells of type q4_0");
  EXPECT_EQ(support_of(reference, {store(DType::kF32), store(DType::kQ4_0)}),
            "1 of 2; no: KV cells of type q4_0");
}

TEST(SupportMatrix, ThePageInDocsIsUpToDate) {
  EXPECT_EQ(read_text(std::filesystem::path(MINFER_DOCS) / "support-matrix.md"), support_matrix())
      << "out of date; it says itself how it is written anew";
}

}  // namespace
}  // namespace minfer::test
