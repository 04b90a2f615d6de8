// MatMul, FusedQKV and FusedFFN as nodes of the CPU backend: shared out among threads, fused or not.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "backends/cpu/cpu_backend.h"
#include "quant/traits.h"
#include "support/op_compare.h"

namespace minfer::test {
namespace {

CpuOptions options(int n_threads, std::optional<CpuIsa> isa = {}) {
  CpuOptions result;
  result.n_threads = n_threads;
  result.isa = isa;
  return result;
}

std::vector<std::unique_ptr<CpuBackend>> configurations() {
  std::vector<std::unique_ptr<CpuBackend>> backends;
  for (const CpuIsa isa : usable_isas(detect_cpu_features()))
    for (const int n_threads : {1, 2, 3, 8})
      backends.push_back(std::make_unique<CpuBackend>(options(n_threads, isa)));
  return backends;
}

// Rows enough that every worker gets some: smaller products do not fork.
OpCase product(DType weight, std::int64_t k, std::int64_t n_out, std::int64_t n_tokens) {
  return {.op = MatMul{}, .inputs = {floats({k, n_tokens})}, .weights = {tensor(weight, {k, n_out})}};
}

void expect_same_bits_everywhere(const OpCase& asked) {
  const auto backends = configurations();
  const OpCase c = lowered(*backends[0], asked);
  const OpData data = make_data(c, 1);
  const OpResult expected = run_op(*backends[0], c, data);
  for (const auto& backend : backends)
    EXPECT_TRUE(same_bits(run_op(*backend, c, data), expected)) << backend->description();
}

class MatMulOp : public testing::TestWithParam<const QuantTraits*> {};

TEST_P(MatMulOp, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const std::int64_t n_tokens : {1, 5, 40})
    expect_same_bits_everywhere(product(GetParam()->type, 512, 1000, n_tokens));
}

TEST_P(MatMulOp, AsksForTheActivationsOfTheWeightsType) {
  CpuBackend backend(options(1));
  const Plan plan = plan_op(backend, product(GetParam()->type, 256, 3, 2));
  ASSERT_TRUE(plan.supported) << plan.reason;
  EXPECT_EQ(plan.input_type, GetParam()->activation);
  EXPECT_EQ(plan.flops, 2u * 256 * 3 * 2);
}

INSTANTIATE_TEST_SUITE_P(Types, MatMulOp,
                         testing::ValuesIn(all_quant_traits().begin(), all_quant_traits().end()),
                         [](const auto& type) { return std::string(dtype_name(type.param->type)); });

// Products of many tokens take another kernel where there is one for every weight; MINFER_KERNEL overrides the choice.
TEST(MatMulOps, TakeTheKernelForManyTokens) {
  const CpuIsa isa = usable_isas(detect_cpu_features()).back();
  if (!cpu_kernels(isa).gemm) GTEST_SKIP() << isa_name(isa) << " has no kernels for many tokens";
  const std::string gemm = "matmul q4_K " + std::string(isa_name(isa)) + " gemm";
  const auto kernel = [&](const OpCase& c, const std::string& forced = {}) {
    CpuOptions forcing = options(1, isa);
    forcing.kernel = forced;
    CpuBackend backend(forcing);
    return plan_op(backend, c).kernel;
  };
  EXPECT_EQ(kernel(product(DType::kQ4_K, 256, 3, 64)), gemm);
  EXPECT_EQ(kernel(product(DType::kQ4_K, 256, 3, 2)).find("gemm"), std::string::npos);
  EXPECT_EQ(kernel(product(DType::kQ4_K, 256, 3, 2), "gemm"), gemm);
  EXPECT_EQ(kernel(product(DType::kQ4_K, 256, 3, 64), "matmul").find("gemm"), std::string::npos);
  EXPECT_EQ(kernel(product(DType::kF16, 256, 3, 64), "gemm").find("gemm"), std::string::npos);
}

TEST(MatMulOps, SayHowTheyRun) {
  CpuBackend backend(options(1, CpuIsa::kScalar));
  EXPECT_EQ(plan_op(backend, product(DType::kQ4_0, 256, 3, 1)).kernel, "matmul q4_0 scalar");
  EXPECT_EQ(plan_op(backend, product(DType::kIQ4_NL, 256, 3, 1)).kernel, "matmul iq4_nl scalar");
}

OpCase projections(DType q, DType k, DType v, std::int64_t n_tokens) {
  return {.op = FusedQKV{},
          .inputs = {floats({256, n_tokens})},
          .weights = {tensor(q, {256, 400}), tensor(k, {256, 104}), tensor(v, {256, 104})}};
}

// Columns [first, first + n) of a float result of `cols` columns.
Bytes columns(const Bytes& rows, std::size_t cols, std::size_t first, std::size_t n) {
  Bytes part;
  for (std::size_t at = 0; at < rows.size(); at += cols * 4)
    part.insert(part.end(), rows.begin() + static_cast<std::ptrdiff_t>(at + first * 4),
                rows.begin() + static_cast<std::ptrdiff_t>(at + (first + n) * 4));
  return part;
}

void expect_qkv_equals_products(const OpCase& asked) {
  CpuBackend backend(options(3));
  const OpCase c = lowered(backend, asked);
  const OpData data = make_data(c, 2);
  const OpResult fused = run_op(backend, c, data);
  std::size_t first = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    OpData part = data;
    part.weights = {data.weights[i]};
    const OpCase single{.op = MatMul{}, .inputs = c.inputs, .weights = {c.weights[i]}};
    const auto n = static_cast<std::size_t>(c.weights[i].desc.shape.rows());
    EXPECT_EQ(columns(fused.output, 608, first, n), run_op(backend, single, part).output) << "weight " << i;
    first += n;
  }
}

TEST(FusedQKVOp, EqualsThreeProducts) {
  for (const std::int64_t n_tokens : {1, 7, 40}) {
    expect_qkv_equals_products(projections(DType::kQ8_0, DType::kQ8_0, DType::kQ8_0, n_tokens));
    expect_qkv_equals_products(projections(DType::kQ4_K, DType::kQ5_K, DType::kQ6_K, n_tokens));
    expect_qkv_equals_products(projections(DType::kF16, DType::kF32, DType::kBF16, n_tokens));
  }
}

TEST(FusedQKVOp, RefusesWeightsThatReadDifferentActivations) {
  CpuBackend backend(options(1));
  const Plan plan = plan_op(backend, projections(DType::kQ4_K, DType::kQ4_K, DType::kQ8_0, 1));
  EXPECT_FALSE(plan.supported);
  EXPECT_NE(plan.reason.find("q8_0"), std::string::npos) << plan.reason;
}

OpCase feed_forward(DType gate, DType up, DType output, std::int64_t n_tokens) {
  return {.op = FusedFFN{.output = output},
          .inputs = {floats({256, n_tokens})},
          .weights = {tensor(gate, {256, 1280}), tensor(up, {256, 1280})}};
}

// Around the tiles of 64 or 256 rows and 32 tokens, with a part of a tile left over.
TEST(FusedFFNOp, EqualsTwoProductsAndSwiGLU) {
  CpuBackend backend(options(3));
  for (const DType output : {DType::kF32, DType::kQ8Row32, DType::kQ8Row256})
    for (const auto& [gate, up] :
         {std::pair{DType::kQ4_0, DType::kQ8_0}, {DType::kQ4_K, DType::kQ4_K}, {DType::kQ2_K, DType::kQ3_K}})
      for (const std::int64_t n_tokens : {1, 33}) {
        const OpCase c = lowered(backend, feed_forward(gate, up, output, n_tokens));
        const OpData data = make_data(c, 3);
        OpData activated;
        for (std::size_t i = 0; i < 2; ++i) {
          OpData part = data;
          part.weights = {data.weights[i]};
          activated.inputs.push_back(
              run_op(backend, {.op = MatMul{}, .inputs = c.inputs, .weights = {c.weights[i]}}, part).output);
        }
        const OpCase swiglu{.op = SwiGLU{.output = output},
                            .inputs = {floats({1280, n_tokens}), floats({1280, n_tokens})}};
        EXPECT_TRUE(same_bits(run_op(backend, c, data), run_op(backend, swiglu, activated)))
            << dtype_name(gate) << " " << dtype_name(output) << " " << n_tokens;
      }
}

TEST(FusedFFNOp, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const DType output : {DType::kF32, DType::kQ8Row32, DType::kQ8Row256})
    for (const std::int64_t n_tokens : {1, 33})
      expect_same_bits_everywhere(feed_forward(DType::kQ5_K, DType::kQ6_K, output, n_tokens));
}

}  // namespace
}  // namespace minfer::test
