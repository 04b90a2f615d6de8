#include "backends/reference/reference_backend.h"

#include <gtest/gtest.h>

#include <array>

#include "minfer/error.h"

namespace minfer {
namespace {

const Op kMatMul = MatMul{};
const std::array kInput = {TensorDesc{DType::kF32, Shape{256, 1}}};

Plan plan_product(const ReferenceBackend& backend, DType type, std::span<const TensorDesc> inputs = kInput) {
  const std::array weights = {WeightRef{"blk.0.ffn_up.weight", {type, Shape{256, 3}}}};
  return backend.plan({.model = 1,
                       .op = &kMatMul,
                       .inputs = inputs,
                       .output = {DType::kF32, Shape{3, 1}},
                       .weights = weights,
                       .label = "blk.0.ffn_up"});
}

class ReferenceBackendTest : public testing::Test {
 protected:
  void register_weight(DType type) {
    const TensorDesc desc{type, Shape{256, 3}};
    bytes_.resize(tensor_bytes(desc));
    backend_.register_weight(1, "blk.0.ffn_up.weight", {desc, bytes_.data(), bytes_.size()},
                             static_cast<WeightUses>(WeightUse::kMatMul));
  }

  std::vector<std::byte> bytes_;
  ReferenceBackend backend_;
};

TEST_F(ReferenceBackendTest, NamesAWeightThatIsNotRegistered) {
  const Plan plan = plan_product(backend_, DType::kQ4_0);
  EXPECT_FALSE(plan.supported);
  EXPECT_NE(plan.reason.find("blk.0.ffn_up.weight"), std::string::npos) << plan.reason;
}

TEST_F(ReferenceBackendTest, NamesATypeThatItCannotDecode) {
  register_weight(DType::kIQ2_XXS);
  const Plan plan = plan_product(backend_, DType::kIQ2_XXS);
  EXPECT_FALSE(plan.supported);
  EXPECT_NE(plan.reason.find("iq2_xxs"), std::string::npos) << plan.reason;
}

TEST_F(ReferenceBackendTest, TakesProductsOnFloatsAndOnActivationRows) {
  register_weight(DType::kQ4_0);
  for (const DType type : {DType::kF32, DType::kQ8Row32}) {
    const std::array inputs = {TensorDesc{type, Shape{256, 1}}};
    const Plan plan = plan_product(backend_, DType::kQ4_0, inputs);
    EXPECT_TRUE(plan.supported) << plan.reason;
    EXPECT_EQ(plan.input_type, type);
    EXPECT_EQ(plan.flops, 2u * 256 * 3);
    EXPECT_EQ(plan.bytes_moved, bytes_.size() + row_bytes(type, 256) + 3 * sizeof(float));
  }
}

TEST_F(ReferenceBackendTest, ForgetsTheWeightsOfAReleasedModel) {
  register_weight(DType::kQ4_0);
  backend_.release_model(1);
  EXPECT_FALSE(plan_product(backend_, DType::kQ4_0).supported);
}

TEST_F(ReferenceBackendTest, RefusesBuffersSmallerThanTheirTensors) {
  register_weight(DType::kQ4_0);
  const Node node{
      .op = kMatMul, .out = {DType::kF32, Shape{3, 1}}, .inputs = {}, .weights = {}, .label = "up"};
  const BufferId buffer = backend_.allocate(4096);
  const BufferRef output{buffer, 1024, 12};
  const std::array fits = {BufferRef{buffer, 0, 1024}};
  const std::array too_small = {BufferRef{buffer, 0, 1020}};
  backend_.execute({&node, plan_product(backend_, DType::kQ4_0)}, {fits, output, {}, {}});
  EXPECT_THROW(backend_.execute({&node, plan_product(backend_, DType::kQ4_0)}, {too_small, output, {}, {}}),
               InternalError);
}

TEST(ReferenceBackend, LetsFusionRulesFireOnlyWhereAsked) {
  EXPECT_FALSE(ReferenceBackend().supports_fused(FusedKind::kFusedQKV));
  EXPECT_TRUE(ReferenceBackend({.fused = true}).supports_fused(FusedKind::kFusedQKV));
}

}  // namespace
}  // namespace minfer
