// The device as the graph sees it: memory, weights, faults, levers.
#include "backends/cuda/cuda_backend.h"

#include <cmath>
#include <random>

#include "backends/reference/reference_backend.h"
#include "backends/registry.h"
#include "base/levers.h"
#include "gpu.h"
#include "minfer/error.h"
#include "support/op_runner.h"

namespace minfer::test {
namespace {

class CudaBackendTest : public testing::Test {
 protected:
  void SetUp() override { MINFER_NEED_GPU(); }
};

Bytes random_bytes(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(n);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

TEST_F(CudaBackendTest, CopiesRoundTripAtAnySizeAndOffset) {
  CudaBackend backend;
  unsigned seed = 0;
  // Up to more than the ring of pinned slots holds at once.
  for (const std::size_t n : {std::size_t{1}, std::size_t{63}, std::size_t{4096}, (std::size_t{2} << 20) + 1,
                              std::size_t{40} << 20}) {
    const BufferId id = backend.allocate(n + 100);
    const Bytes bytes = random_bytes(n, ++seed);
    backend.write(id, 37, bytes);
    Bytes back(n);
    backend.read(id, 37, back);
    EXPECT_EQ(back, bytes) << n;
    backend.release(id);
  }
}

TEST_F(CudaBackendTest, LaterWritesWin) {
  CudaBackend backend;
  const BufferId id = backend.allocate(4);
  for (std::uint32_t i = 0; i < 5000; ++i) backend.write(id, 0, std::as_bytes(std::span(&i, 1)));
  std::uint32_t last = 0;
  backend.read(id, 0, std::as_writable_bytes(std::span(&last, 1)));
  EXPECT_EQ(last, 4999u);
}

TEST_F(CudaBackendTest, AWeightIsTheSameUnderOneModelAndNameAndGoesWithItsModel) {
  CudaBackend backend;
  const Bytes bytes = random_bytes(64 * 18, 1);
  const TensorDesc desc{DType::kQ4_0, Shape{32, 64}};
  backend.register_weight(1, "w", {desc, bytes.data(), bytes.size()},
                          static_cast<WeightUses>(WeightUse::kMatMul));
  backend.register_weight(1, "w", {desc, bytes.data(), bytes.size()},
                          static_cast<WeightUses>(WeightUse::kMatMul));
  backend.register_weight(2, "w", {desc, bytes.data(), bytes.size()},
                          static_cast<WeightUses>(WeightUse::kMatMul));
  EXPECT_EQ(backend.weight_bytes(), 0u) << "declared, not uploaded";
  const Op op = MatMul{};
  const TensorDesc x{DType::kQ8Row32, Shape{32, 1}};
  const WeightRef ref{"w", desc};
  const TensorDesc out{DType::kF32, Shape{64, 1}};
  const Node node{.op = op, .out = out, .inputs = {}, .weights = {}, .label = "product"};
  const PlannedNode planned{&node, backend.plan({1, &op, {&x, 1}, out, {&ref, 1}, "product"})};
  ASSERT_TRUE(planned.plan.supported) << planned.plan.reason;
  backend.prepare(planned);
  const std::size_t once = backend.weight_bytes();
  EXPECT_GE(once, bytes.size());
  backend.prepare(planned);
  EXPECT_EQ(backend.weight_bytes(), once);
  backend.release_model(1);
  EXPECT_EQ(backend.weight_bytes(), 0u);
  EXPECT_FALSE(backend.has_weight(1, "w"));
  EXPECT_TRUE(backend.has_weight(2, "w"));
}

TEST_F(CudaBackendTest, UnregisteredWeightsAreNamed) {
  CudaBackend backend;
  const Op op = MatMul{};
  const TensorDesc x{DType::kF32, Shape{32, 1}};
  const WeightRef ref{"blk.7.attn_q.weight", {DType::kQ4_0, Shape{32, 64}}};
  const Plan plan = backend.plan({1, &op, {&x, 1}, {DType::kF32, Shape{64, 1}}, {&ref, 1}, "product"});
  EXPECT_FALSE(plan.supported);
  EXPECT_NE(plan.reason.find("blk.7.attn_q.weight"), std::string::npos);
}

OpCase gather(std::vector<std::int32_t> ids) {
  const auto n = static_cast<std::int64_t>(ids.size());
  return {.op = GetRows{},
          .inputs = {ints(Shape{n}, std::move(ids))},
          .weights = {tensor(DType::kQ8_0, {32, 10})}};
}

TEST_F(CudaBackendTest, AnIdBeyondTheRowsIsAnErrorThatNamesTheNode) {
  CudaBackend backend;
  const OpCase bad = gather({3, 9, 10, 1});
  try {
    run_op(backend, bad, make_data(bad, 1));
    FAIL();
  } catch (const InvalidRequestError& error) {
    EXPECT_NE(std::string(error.what()).find(name_of(bad)), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("10 at index 2"), std::string::npos) << error.what();
  }
  const OpCase good = gather({3, 9, 0, 1});
  EXPECT_NO_THROW(run_op(backend, good, make_data(good, 1))) << "the device stays usable";
}

TEST_F(CudaBackendTest, ACellBeyondTheRegionIsAnErrorAndNothingIsWritten) {
  CudaBackend backend;
  for (const std::int32_t cell : {-1, 128}) {
    const OpCase c = {.op = KvStore{.kv = {0, 2, 32, DType::kF16}},
                      .inputs = {floats({64, 2}), floats({64, 2}), ints({2}, {5, cell})},
                      .n_cells = 128};
    OpRun run(backend, c, make_data(c, 1));
    EXPECT_THROW(run.execute(), InternalError) << cell;
    const OpResult result = run.result();
    EXPECT_NE(result.keys[5 * 128], kPoison) << "the good cell is stored";
    EXPECT_EQ(std::count(result.keys.begin(), result.keys.end(), kPoison) > 127 * 128, true);
  }
}

TEST_F(CudaBackendTest, TypesWithoutAKernelInTheirRoleAreNamed) {
  CudaBackend backend;
  const OpCase c = {.op = MatMulAdd{},
                    .inputs = {floats({256, 1}), floats({8, 1})},
                    .weights = {tensor(DType::kQ2_K, {256, 8})}};
  const Plan plan = plan_op(backend, c);
  EXPECT_FALSE(plan.supported);
  EXPECT_NE(plan.reason.find("q2_K"), std::string::npos) << plan.reason;
}

float ulp(float x) { return std::nextafter(std::abs(x), INFINITY) - std::abs(x); }

// Value i of a head and the one that it is rotated with.
std::size_t partner(const RoPE& op, std::size_t i) {
  const auto half = static_cast<std::size_t>(op.n_dims / 2);
  if (op.style == RopeStyle::kInterleaved) return i ^ 1;
  return i < half ? i + half : i - half;
}

std::pair<std::vector<float>, std::vector<float>> gpu_and_reference(const OpCase& c) {
  CudaBackend gpu;
  ReferenceBackend reference;
  const OpData data = make_data(c, 11);
  const OpResult actual = run_op(gpu, c, data);
  const OpResult expected = run_op(reference, c, data);
  return {decode(actual.desc, actual.output), decode(expected.desc, expected.output)};
}

TEST_F(CudaBackendTest, SiluIsWithinTwoUlps) {
  for (const OpCase& c : op_cases<Silu>()) {
    if (c.note == "saturated") continue;  // exp(-x) is no float there, and the result next to 0
    const auto [actual, expected] = gpu_and_reference(c);
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_LE(std::abs(actual[i] - expected[i]), 2 * ulp(expected[i])) << name_of(c) << " value " << i;
  }
}

// Of the longer of the two values that are rotated together: a small one is the difference of large products.
TEST_F(CudaBackendTest, RopeIsWithinTwoUlps) {
  for (const OpCase& c : op_cases<RoPE>()) {
    const auto& op = std::get<RoPE>(c.op);
    const auto head_dim = static_cast<std::size_t>(op.head_dim);
    const auto [actual, expected] = gpu_and_reference(c);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::size_t in_head = i % head_dim;
      const bool turns = in_head < static_cast<std::size_t>(op.n_dims);
      const float other = turns ? expected[i - in_head + partner(op, in_head)] : 0;
      const float length = std::hypot(expected[i], other);
      ASSERT_LE(std::abs(actual[i] - expected[i]), turns ? 2 * ulp(length) : 0)
          << name_of(c) << " value " << i;
    }
  }
}

// More rows than are decoded to float16 at a time, against kernels that decode none.
TEST_F(CudaBackendTest, LargeMatricesAreMultipliedInParts) {
  const auto result_of = [](const OpCase& c, const OpData& data, const char* kernel) {
    CudaOptions options;
    options.kernels.kernel = kernel;
    CudaBackend backend(options);
    const OpResult result = run_op(backend, c, data);
    return decode(result.desc, result.output);
  };
  const OpCase product = {
      .op = MatMul{}, .inputs = {floats({1024, 33})}, .weights = {tensor(DType::kF16, {1024, 34000})}};
  const OpCase ffn = {.op = FusedFFN{},
                      .inputs = {floats({1024, 33})},
                      .weights = {tensor(DType::kF16, {1024, 17000}), tensor(DType::kF16, {1024, 17000})}};
  for (const auto& [c, simple] : {std::pair(product, "matmul_simple"), std::pair(ffn, "fused_ffn_simple")}) {
    const OpData data = make_data(c, 5);
    const std::vector<float> actual = result_of(c, data, "");
    const std::vector<float> expected = result_of(c, data, simple);
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      difference += std::pow(double{actual[i]} - expected[i], 2);
      norm += std::pow(double{expected[i]}, 2);
    }
    EXPECT_LT(std::sqrt(difference / norm), 1e-3) << name_of(c);
    EXPECT_NE(actual, expected) << "the same kernel twice";
  }
}

TEST_F(CudaBackendTest, RefusesADeviceThatDoesNotExist) {
  CudaOptions options;
  options.device = 200;
  try {
    const CudaBackend backend(options);
    FAIL();
  } catch (const InvalidRequestError& error) {
    EXPECT_NE(std::string(error.what()).find("GPU 200 does not exist"), std::string::npos) << error.what();
  }
}

TEST(CudaWithoutADevice, IsNotThereRatherThanAnError) {
  if (cuda::device_count() > 0) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_EQ(CudaBackend::create_if_present({}), nullptr);
  BackendOptions options;
  EXPECT_EQ(make_backends(options).front()->name(), "cpu");
  options.gpu = 0;
  EXPECT_THROW(make_backends(options), InvalidRequestError);
}

TEST(CudaOptionsFromLevers, FollowTheEnvironment) {
  const Levers levers = read_levers([](const char* name) -> const char* {
    const std::string_view n = name;
    return n == "MINFER_NO_CUDA_GRAPH" || n == "MINFER_NO_DECODE_A_FUSE" ? "1"
           : n == "MINFER_MMQ"                                           ? "0"
                                                                         : nullptr;
  });
  const CudaOptions options = cuda_options(levers);
  EXPECT_FALSE(options.graphs);
  EXPECT_FALSE(options.quantize_epilogue);
  EXPECT_TRUE(options.prefill_capture);
  EXPECT_EQ(options.kernels.mmq, "0");
}

}  // namespace
}  // namespace minfer::test
