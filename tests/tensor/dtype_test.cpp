#include "tensor/dtype.h"

#include <gtest/gtest.h>

#include "minfer/error.h"
#include "tensor/view.h"

namespace minfer {
namespace {

TEST(DType, RowBytesFollowTheBlockLayout) {
  EXPECT_EQ(row_bytes(DType::kF32, 7), 28u);
  EXPECT_EQ(row_bytes(DType::kQ4_0, 64), 36u);
  EXPECT_EQ(row_bytes(DType::kQ6_K, 512), 420u);
  EXPECT_THROW(row_bytes(DType::kQ4_0, 40), InternalError);
}

TEST(DType, PlanarActivationRowsAreMultiplesOf64Bytes) {
  // 96 values: 128 bytes of values, 64 of scales (3 floats), 64 of sums (3 int16).
  EXPECT_EQ(row_bytes(DType::kQ8Row32, 96), 256u);
  // 512 values: 512 + 64 (2 floats) + 64 (32 int16).
  EXPECT_EQ(row_bytes(DType::kQ8Row256, 512), 640u);
}

TEST(DType, NamesRoundTripIgnoringCase) {
  EXPECT_EQ(dtype_from_name("Q4_k"), DType::kQ4_K);
  EXPECT_EQ(dtype_from_name("q8_row32"), std::nullopt);
  EXPECT_EQ(dtype_from_gguf(1000), std::nullopt);
  EXPECT_EQ(dtype_from_gguf(4), std::nullopt);
  EXPECT_EQ(dtype_name(DType::kIQ4_XS), "iq4_xs");
}

TEST(Shape, IsInnermostFirstAndPrintsOutermostFirst) {
  const Shape shape{512, 3};
  EXPECT_EQ(shape.cols(), 512);
  EXPECT_EQ(shape.rows(), 3);
  EXPECT_EQ(to_string(shape), "(3, 512)");
  EXPECT_EQ(tensor_bytes({DType::kF16, shape}), 3072u);
}

}  // namespace
}  // namespace minfer
