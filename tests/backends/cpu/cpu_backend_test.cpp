// Planning, choices and refusals of the CPU backend.
#include "backends/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include "backends/cpu/kernel_table.h"
#include "backends/cpu/node_runner.h"
#include "base/levers.h"
#include "minfer/error.h"

namespace minfer::test {
namespace {

NodeCase kv_store(const KvGeometry& kv, const std::vector<std::int32_t>& cells) {
  NodeCase node;
  node.op = KvStore{kv};
  const auto n = static_cast<std::int64_t>(cells.size());
  const auto values = random_floats(static_cast<std::size_t>(n * kv.row_values()), 1);
  node.inputs = {f32(Shape{kv.row_values(), n}, values), f32(Shape{kv.row_values(), n}, values),
                 i32(Shape{n}, cells)};
  return node;
}

template <typename ErrorType>
std::string message_of(CpuBackend& backend, NodeCase node) {
  try {
    run_node(backend, node);
  } catch (const ErrorType& error) {
    return error.what();
  }
  return "no error";
}

TEST(CpuBackend, DescribesItself) {
  CpuBackend backend(with_threads(2));
  EXPECT_EQ(backend.name(), "cpu");
  EXPECT_NE(backend.description().find("2 threads"), std::string::npos);
  EXPECT_NE(backend.description().find(isa_name(backend.isa())), std::string::npos);
  EXPECT_GT(backend.memory().total_bytes, 0u);
}

TEST(CpuBackend, RefusesThreadCounts) {
  EXPECT_THROW(CpuBackend(with_threads(-1)), InvalidRequestError);
  EXPECT_THROW(CpuBackend(with_threads(100000)), InvalidRequestError);
}

TEST(CpuBackend, EveryFeatureSetHasTheScalarKernels) {
  EXPECT_EQ(usable_isas(CpuFeatures{}), std::vector{CpuIsa::kScalar});
#if defined(__x86_64__)
  CpuFeatures haswell;
  haswell.avx2 = true;
  EXPECT_EQ(usable_isas(haswell).back(), CpuIsa::kAvx2);

  CpuFeatures alder_lake = haswell;
  alder_lake.avx_vnni = true;
  EXPECT_EQ(usable_isas(alder_lake).back(), CpuIsa::kAvxVnni);

  CpuFeatures skylake = haswell;  // AVX-512 without VNNI
  skylake.avx512 = true;
  EXPECT_EQ(usable_isas(skylake).back(), CpuIsa::kAvx2);
  CpuFeatures icelake = skylake;
  icelake.avx512_vnni = true;
  EXPECT_EQ(usable_isas(icelake).back(), CpuIsa::kAvx512);
  CpuFeatures sapphire_rapids = icelake;
  sapphire_rapids.amx_int8 = true;
  EXPECT_EQ(usable_isas(sapphire_rapids).back(), CpuIsa::kAmx);
#elif defined(__aarch64__)
  CpuFeatures cortex_a57;
  cortex_a57.neon = true;
  EXPECT_EQ(usable_isas(cortex_a57).back(), CpuIsa::kNeon);
  CpuFeatures neoverse_n1 = cortex_a57;
  neoverse_n1.dotprod = true;
  EXPECT_EQ(usable_isas(neoverse_n1).back(), CpuIsa::kNeonDotprod);
  CpuFeatures neoverse_v1 = neoverse_n1;
  neoverse_v1.i8mm = true;
  EXPECT_EQ(usable_isas(neoverse_v1).back(), CpuIsa::kNeonI8mm);
#endif
}

TEST(CpuBackend, TakesLevers) {
  Levers levers;
  levers.kernel = "matmul";
  levers.no_fused_q8_kv = true;
  EXPECT_EQ(cpu_options(levers).kernel, "matmul");
  EXPECT_FALSE(cpu_options(levers).fused_q8_kv);
  EXPECT_TRUE(cpu_options(Levers{}).fused_q8_kv);
}

TEST(CpuBackend, PlansNameTheKernelAndItsCost) {
  CpuBackend backend(with_threads(2));
  NodeCase node;
  node.op = RmsNorm{.eps = 1e-6f};
  node.inputs = {f32(Shape{64, 3}, random_floats(192, 1))};
  node.weights = {f32(Shape{64}, random_floats(64, 2))};
  const Plan plan = plan_node(backend, node);
  ASSERT_TRUE(plan.supported);
  EXPECT_EQ(plan.kernel, "rms_norm " + std::string(isa_name(backend.isa())));
  EXPECT_EQ(plan.bytes_moved, (192 + 192 + 64) * sizeof(float));
  EXPECT_EQ(plan.input_type, DType::kF32);
  EXPECT_EQ(plan.workspace_bytes, 0u);
}

TEST(CpuBackend, ReasonsForWhatItCannotRun) {
  CpuBackend backend(with_threads(2));
  const auto reason = [&](const KvGeometry& kv) { return plan_node(backend, kv_store(kv, {0})).reason; };
  EXPECT_NE(reason({0, 2, 40, DType::kQ8_0}).find("not of 40"), std::string::npos);
  EXPECT_NE(reason({0, 2, 64, DType::kBF16}).find("bf16"), std::string::npos);
  EXPECT_EQ(reason({0, 2, 40, DType::kF16}), "");
  EXPECT_EQ(reason({0, 2, 64, DType::kQ8_0}), "");
  EXPECT_EQ(reason({0, 2, 40, DType::kF32}), "");

  const Op op = RmsNorm{};
  const TensorDesc x{DType::kF32, Shape{64, 1}};
  const std::vector<WeightRef> weights = {{"missing.weight", {DType::kF32, Shape{64}}}};
  const Plan plan = backend.plan({7, &op, std::span(&x, 1), x, weights, "node"});
  EXPECT_FALSE(plan.supported);
  EXPECT_NE(plan.reason.find("missing.weight"), std::string::npos);
}

TEST(CpuBackend, QuantizedOutputsNeedWholeGroups) {
  CpuBackend backend(with_threads(2));
  NodeCase node;
  node.inputs = {f32(Shape{96, 1}, random_floats(96, 1))};
  node.op = Quantize{DType::kQ8Row256};
  EXPECT_NE(plan_node(backend, node).reason.find("whole groups of 256"), std::string::npos);
  node.op = Quantize{DType::kQ8Row32};
  EXPECT_TRUE(plan_node(backend, node).supported);
}

TEST(CpuBackend, NamesNodeAndValueOfBadIndices) {
  CpuBackend backend(with_threads(2));
  NodeCase gather;
  gather.op = GetRows{};
  gather.weights = {f32(Shape{32, 4}, random_floats(128, 1))};
  for (const std::int32_t id : {-1, 4}) {
    gather.inputs = {i32(Shape{2}, std::vector<std::int32_t>{0, id})};
    EXPECT_EQ(message_of<InvalidRequestError>(backend, gather),
              "node: id " + std::to_string(id) + " at index 1 is not in 0..3");
  }
  NodeCase store = kv_store({0, 1, 32, DType::kF32}, {0, 64});
  store.n_cells = 64;
  store.k.resize(64 * 32 * sizeof(float));
  store.v = store.k;
  EXPECT_NE(message_of<InternalError>(backend, store).find("node: token 1 has cell 64 of 64"),
            std::string::npos);
}

// Candidates are tried in order; a forced one comes first wherever it can run.
TEST(CpuBackend, EveryOpHasCandidatesWithNamesOfTheirOwn) {
  for (const OpKernels* kernels : all_op_kernels()) {
    EXPECT_EQ(find_op_kernels(kernels->op), kernels);
    EXPECT_FALSE(kernels->candidates.empty()) << kernels->op;
    for (const Candidate& a : kernels->candidates) {
      for (const Candidate& b : kernels->candidates) EXPECT_TRUE(&a == &b || a.name != b.name) << a.name;
    }
  }
  EXPECT_EQ(find_op_kernels("no such op"), nullptr);
}

}  // namespace
}  // namespace minfer::test
