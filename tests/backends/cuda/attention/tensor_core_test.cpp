#include "backends/cuda/attention/tensor_core.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "backends/cuda/device_array.h"
#include "quant/activation_row.h"
#include "quant/traits.h"

namespace minfer::cuda {
namespace {

constexpr int kPage = 64;

struct Case {
  DType cell;
  int head_dim;
  int n_head;
  int n_head_kv;
  std::vector<int> lengths;     // cells in use of each sequence
  std::vector<int> new_tokens;  // its last tokens, which ask
};

// Sequences whose pages lie anywhere in the region; cells not in use hold NaN.
class Problem {
 public:
  explicit Problem(const Case& c) : c_(c), engine_(61) {
    const int row = c.n_head_kv * c.head_dim;
    row_bytes_ = row_bytes(c.cell, row);
    max_pages_ = (*std::max_element(c.lengths.begin(), c.lengths.end()) + kPage - 1) / kPage + 1;
    const int n_pages = max_pages_ * static_cast<int>(c.lengths.size()) + 2;
    n_cells_ = n_pages * kPage;
    keys_.resize(static_cast<std::size_t>(n_cells_) * row_bytes_, std::byte{0xff});
    values_ = keys_;
    place_sequences(n_pages);
    for (std::size_t s = 0; s < c.lengths.size(); ++s) {
      for (int p = 0; p < c.lengths[s]; ++p) fill_cell(cell_of(static_cast<int>(s), p));
      for (int t = c.lengths[s] - c.new_tokens[s]; t < c.lengths[s]; ++t) {
        slots_.push_back(static_cast<std::int32_t>(s));
        positions_.push_back(t);
      }
    }
    q_ = random(positions_.size() * static_cast<std::size_t>(c.n_head * c.head_dim), 1.0f);
  }

  std::size_t n_tokens() const { return positions_.size(); }
  float scale() const { return 1.0f / std::sqrt(static_cast<float>(c_.head_dim)); }

  // Runs a launch with poisoned output and returns it. `launch` gets complete arguments.
  template <typename T, typename Launch>
  std::vector<T> run(DType out_type, const Launch& launch) const {
    const std::int64_t n = c_.n_head * c_.head_dim;
    const std::size_t stride = row_bytes(out_type, n);
    DeviceArray<float> q(q_);
    DeviceArray<std::int32_t> positions(positions_), slots(slots_), table(table_);
    DeviceArray<std::byte> keys(keys_), values(values_),
        workspace(decode_attention_workspace(static_cast<std::int64_t>(n_tokens()), c_.n_head, c_.head_dim));
    DeviceArray<T> out(stride * n_tokens() / sizeof(T));
    DeviceArray<Fault> fault(std::vector<Fault>(1));
    AttentionArgs a;
    a.q = q.get();
    a.positions = positions.get();
    a.slots = slots.get();
    a.page_table = table.get();
    a.n_slots = static_cast<int>(c_.lengths.size());
    a.max_pages = max_pages_;
    a.kv = {keys.get(),
            values.get(),
            n_cells_,
            c_.cell,
            c_.n_head_kv,
            c_.head_dim,
            static_cast<std::int64_t>(row_bytes_)};
    a.out = out.get();
    a.out_type = out_type;
    a.out_stride = static_cast<std::int64_t>(stride);
    a.n_tokens = static_cast<std::int64_t>(n_tokens());
    a.n_head = c_.n_head;
    a.scale = scale();
    a.workspace = workspace.get();
    a.faults = {fault.get(), 1};
    launch(a);
    std::vector<T> got = out.read();
    EXPECT_EQ(fault.read()[0].kind, 0);
    return got;
  }

  // softmax(scale q . k) v in double precision, of decoded cells.
  std::vector<double> expected(std::size_t token, int head) const {
    const int kv_head = head / (c_.n_head / c_.n_head_kv), dim = c_.head_dim;
    const float* q = &q_[(token * static_cast<std::size_t>(c_.n_head) + static_cast<std::size_t>(head)) *
                         static_cast<std::size_t>(dim)];
    std::vector<double> scores;
    for (int p = 0; p <= positions_[token]; ++p) {
      const std::vector<float> k = decoded(keys_, cell_of(slots_[token], p), kv_head);
      double s = 0;
      for (int d = 0; d < dim; ++d)
        s += static_cast<double>(q[d]) * static_cast<double>(k[static_cast<std::size_t>(d)]);
      scores.push_back(s * static_cast<double>(scale()));
    }
    const double top = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    std::vector<double> out(static_cast<std::size_t>(dim));
    for (int p = 0; p <= positions_[token]; ++p) {
      const double weight = std::exp(scores[static_cast<std::size_t>(p)] - top);
      sum += weight;
      const std::vector<float> v = decoded(values_, cell_of(slots_[token], p), kv_head);
      for (std::size_t d = 0; d < out.size(); ++d) out[d] += weight * static_cast<double>(v[d]);
    }
    for (double& v : out) v /= sum;
    return out;
  }

 private:
  std::vector<float> random(std::size_t n, float spread) {
    std::normal_distribution<float> normal(0.0f, spread);
    std::vector<float> v(n);
    for (float& x : v) x = normal(engine_);
    return v;
  }
  void place_sequences(int n_pages) {
    std::vector<std::int32_t> pages(static_cast<std::size_t>(n_pages));
    std::iota(pages.begin(), pages.end(), 0);
    std::shuffle(pages.begin(), pages.end(), engine_);
    table_.assign(c_.lengths.size() * static_cast<std::size_t>(max_pages_), -1);
    std::size_t next = 0;
    for (std::size_t s = 0; s < c_.lengths.size(); ++s)
      for (int p = 0; p * kPage < c_.lengths[s]; ++p)
        table_[s * static_cast<std::size_t>(max_pages_) + static_cast<std::size_t>(p)] = pages[next++];
  }
  std::size_t cell_of(int sequence, int position) const {
    const std::int32_t page = table_[static_cast<std::size_t>(sequence * max_pages_ + position / kPage)];
    return static_cast<std::size_t>(page * kPage + position % kPage);
  }
  void fill_cell(std::size_t cell) {
    const std::int64_t n = c_.n_head_kv * c_.head_dim;
    quant_traits(c_.cell).encode(random(static_cast<std::size_t>(n), 1.2f).data(), &keys_[cell * row_bytes_],
                                 n);
    quant_traits(c_.cell).encode(random(static_cast<std::size_t>(n), 1.0f).data(),
                                 &values_[cell * row_bytes_], n);
  }
  std::vector<float> decoded(const std::vector<std::byte>& region, std::size_t cell, int kv_head) const {
    std::vector<float> row(static_cast<std::size_t>(c_.n_head_kv * c_.head_dim));
    quant_traits(c_.cell).decode(&region[cell * row_bytes_], row.data(),
                                 static_cast<std::int64_t>(row.size()));
    const auto first = row.begin() + kv_head * c_.head_dim;
    return {first, first + c_.head_dim};
  }

  Case c_;
  std::mt19937 engine_;
  std::size_t row_bytes_;
  int max_pages_;
  std::int64_t n_cells_;
  std::vector<std::byte> keys_, values_;
  std::vector<std::int32_t> table_, slots_, positions_;
  std::vector<float> q_;
};

void expect_attention(const Problem& problem, const Case& c, const std::vector<float>& got, double tolerance,
                      const char* what) {
  const std::size_t dim = static_cast<std::size_t>(c.head_dim), n = static_cast<std::size_t>(c.n_head) * dim;
  for (std::size_t t = 0; t < problem.n_tokens(); ++t) {
    for (int h = 0; h < c.n_head; ++h) {
      const std::vector<double> want = problem.expected(t, h);
      for (std::size_t d = 0; d < dim; ++d) {
        const double is = static_cast<double>(got[t * n + static_cast<std::size_t>(h) * dim + d]);
        ASSERT_LE(std::fabs(is - want[d]), tolerance)
            << what << " " << dtype_name(c.cell) << " head_dim " << c.head_dim << " heads " << c.n_head << "/"
            << c.n_head_kv << " token " << t << " head " << h << " value " << d << ": " << is << " for "
            << want[d];
      }
    }
  }
}

// Values are of magnitude 1 to 4. Rounding probabilities, queries or q8_0 cells to float16 shows in the fourth digit.
double decode_tolerance(DType cell) { return cell == DType::kQ8_0 ? 3e-3 : 2e-5; }
double prefill_tolerance(DType cell) { return cell == DType::kF32 ? 2e-5 : 6e-3; }

const std::vector<Case> kDecodeCases = {
    {DType::kF16, 128, 7, 1, {1, 200}, {1, 1}},  {DType::kF16, 64, 14, 2, {63, 64, 65}, {1, 1, 1}},
    {DType::kF16, 128, 4, 4, {2100}, {1}},       {DType::kF16, 80, 6, 2, {130}, {3}},
    {DType::kF16, 256, 2, 1, {321, 5}, {2, 1}},  {DType::kF16, 96, 20, 1, {77}, {1}},
    {DType::kF32, 64, 14, 2, {150, 33}, {1, 2}}, {DType::kF32, 128, 2, 2, {1, 2, 3}, {1, 1, 1}},
    {DType::kF32, 256, 3, 1, {90}, {1}},         {DType::kF32, 72, 2, 2, {2065}, {1}},
    {DType::kQ8_0, 64, 4, 2, {100}, {2}},        {DType::kQ8_0, 128, 8, 1, {700}, {1}},
    {DType::kQ8_0, 80, 4, 2, {65}, {1}},         {DType::kQ8_0, 192, 3, 3, {40}, {1}}};

TEST(TensorCoreAttention, DecodeEqualsTheDefinition) {
  MINFER_NEED_GPU();
  for (const Case& c : kDecodeCases) {
    if (!tensor_core_attention_supported(test_limits(), c.cell, c.head_dim)) continue;
    const Problem problem(c);
    prepare_decode_attention(c.cell, c.head_dim);
    const auto got = problem.run<float>(
        DType::kF32, [](const AttentionArgs& a) { launch_decode_attention(a, true, nullptr); });
    expect_attention(problem, c, got, decode_tolerance(c.cell), "decode");
    if (HasFatalFailure()) return;
  }
}

TEST(TensorCoreAttention, DecodeQuantizesItsOutput) {
  MINFER_NEED_GPU();
  const Case c = {DType::kF16, 64, 14, 2, {300, 20}, {1, 1}};
  if (!tensor_core_attention_supported(test_limits(), c.cell, c.head_dim)) GTEST_SKIP() << "not on this GPU";
  const Problem problem(c);
  prepare_decode_attention(c.cell, c.head_dim);
  const auto launch = [](const AttentionArgs& a) { launch_decode_attention(a, false, nullptr); };
  const auto floats = problem.run<float>(DType::kF32, launch);
  const auto rows = problem.run<std::byte>(DType::kQ8Row32, launch);
  const std::int64_t n = c.n_head * c.head_dim;
  const std::size_t stride = row_bytes(DType::kQ8Row32, n),
                    scales = activation_scales_offset(static_cast<std::size_t>(n));
  const std::size_t sums = activation_sums_offset(static_cast<std::size_t>(n), 32);
  std::vector<std::byte> expected(stride);
  for (std::size_t t = 0; t < problem.n_tokens(); ++t) {
    encode_q8_row32(&floats[t * static_cast<std::size_t>(n)], expected.data(), n);
    EXPECT_EQ(0, std::memcmp(&rows[t * stride], expected.data(), static_cast<std::size_t>(n)));
    EXPECT_EQ(
        0, std::memcmp(&rows[t * stride + scales], &expected[scales], static_cast<std::size_t>(n) / 32 * 4));
    EXPECT_EQ(0,
              std::memcmp(&rows[t * stride + sums], &expected[sums], static_cast<std::size_t>(n) / 32 * 2));
  }
}

// Both kernels of a step find out from the positions how many stretches there are. What was recorded at one length
// gives at every other the bits of a direct launch.
TEST(TensorCoreAttention, ARecordedLaunchServesEveryLength) {
  MINFER_NEED_GPU();
  for (const DType cell : {DType::kF16, DType::kF32, DType::kQ8_0}) {
    const Case c = {cell, 128, 14, 2, {4200}, {1}};
    if (!tensor_core_attention_supported(test_limits(), c.cell, c.head_dim)) continue;
    prepare_decode_attention(c.cell, c.head_dim);
    const Problem problem(c);
    problem.run<float>(DType::kF32, [&](const AttentionArgs& a) {
      const std::size_t n = static_cast<std::size_t>(c.n_head * c.head_dim);
      cudaStream_t stream = nullptr;
      MINFER_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      const auto output = [&](int length, const std::function<void()>& launch) {
        const std::int32_t position = length - 1;
        MINFER_CUDA(cudaMemcpy(const_cast<std::int32_t*>(a.positions), &position, 4, cudaMemcpyHostToDevice));
        MINFER_CUDA(cudaMemset(a.out, 0xff, 4 * n));
        launch();
        MINFER_CUDA(cudaStreamSynchronize(stream));
        std::vector<std::uint32_t> bits(n);
        MINFER_CUDA(cudaMemcpy(bits.data(), a.out, 4 * n, cudaMemcpyDeviceToHost));
        return bits;
      };
      cudaGraph_t graph = nullptr;
      cudaGraphExec_t recorded = nullptr;
      MINFER_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
      launch_decode_attention(a, true, stream);
      MINFER_CUDA(cudaStreamEndCapture(stream, &graph));
      MINFER_CUDA(cudaGraphInstantiate(&recorded, graph, 0));
      for (const int length : {4200, 1, 63, 64, 65, 128, 129, 2047, 2048, 2049, 4097, 2}) {
        const auto direct = output(length, [&] { launch_decode_attention(a, true, stream); });
        EXPECT_EQ(output(length, [&] { MINFER_CUDA(cudaGraphLaunch(recorded, stream)); }), direct)
            << dtype_name(cell) << ", " << length << " keys";
      }
      MINFER_CUDA(cudaGraphExecDestroy(recorded));
      MINFER_CUDA(cudaGraphDestroy(graph));
      MINFER_CUDA(cudaStreamDestroy(stream));
    });
  }
}

const std::vector<Case> kPrefillCases = {{DType::kF16, 128, 7, 1, {150}, {150}},
                                         {DType::kF16, 64, 14, 2, {100, 70, 3}, {40, 1, 3}},
                                         {DType::kF16, 128, 2, 2, {200, 129}, {80, 129}},
                                         {DType::kF16, 80, 6, 2, {130}, {30}},
                                         {DType::kF16, 256, 2, 1, {141, 5}, {67, 1}},
                                         {DType::kF16, 96, 20, 1, {77}, {9}},
                                         {DType::kF32, 64, 14, 2, {150, 33}, {40, 33}},
                                         {DType::kF32, 128, 2, 2, {65, 64, 63}, {65, 64, 63}},
                                         {DType::kF32, 256, 3, 1, {90}, {90}},
                                         {DType::kF32, 72, 2, 2, {205}, {20}},
                                         {DType::kQ8_0, 64, 4, 2, {100}, {100}},
                                         {DType::kQ8_0, 128, 8, 1, {170}, {17}},
                                         {DType::kQ8_0, 80, 4, 2, {65}, {65}},
                                         {DType::kQ8_0, 192, 3, 3, {40}, {40}}};

TEST(TensorCoreAttention, PrefillEqualsTheDefinition) {
  MINFER_NEED_GPU();
  for (const Case& c : kPrefillCases) {
    if (!tensor_core_attention_supported(test_limits(), c.cell, c.head_dim)) continue;
    const Problem problem(c);
    prepare_prefill_attention(c.cell, c.head_dim);
    const auto got = problem.run<float>(
        DType::kF32, [](const AttentionArgs& a) { launch_prefill_attention(a, true, nullptr); });
    expect_attention(problem, c, got, prefill_tolerance(c.cell), "prefill");
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace minfer::cuda
