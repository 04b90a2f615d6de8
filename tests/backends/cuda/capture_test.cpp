// Recording and replaying splits: what is replayed, what is recorded anew, and what failures lead to.
#include <cstring>

#include "backends/cuda/cuda_backend.h"
#include "gpu.h"
#include "minfer/error.h"

namespace minfer::test {
namespace {

using Failure = cuda::CaptureCache::Failure;

// out = (x * 2) + x, two nodes that are executed as one split.
class TwoNodes {
 public:
  explicit TwoNodes(CudaBackend& backend) : backend_(backend) {
    x_ = buffer();
    middle_ = buffer();
    out_ = buffer();
    scale_ = {.op = Scale{.factor = 2}, .out = kRow, .inputs = {}, .weights = {}, .label = "double"};
    add_ = {.op = Add{}, .out = kRow, .inputs = {}, .weights = {}, .label = "sum"};
    const TensorDesc one[] = {kRow};
    const TensorDesc two[] = {kRow, kRow};
    planned_[0] = {&scale_, backend.plan({0, &scale_.op, one, kRow, {}, "double"})};
    planned_[1] = {&add_, backend.plan({0, &add_.op, two, kRow, {}, "sum"})};
  }
  ~TwoNodes() {
    for (const BufferRef& ref : {x_, middle_, out_}) backend_.release(ref.buffer);
  }
  TwoNodes(const TwoNodes&) = delete;
  TwoNodes& operator=(const TwoNodes&) = delete;

  // Runs the split on x and checks the result; whether it was replayed.
  bool run(float x, const Split& split) {
    const std::vector<float> values(kN, x);
    backend_.write(x_.buffer, 0, std::as_bytes(std::span(values)));
    const bool replayed = backend_.begin(split);
    if (!replayed) {
      const BufferRef one[] = {x_};
      const BufferRef two[] = {middle_, x_};
      backend_.execute(planned_[0], {one, middle_, {}, {}});
      backend_.execute(planned_[1], {two, out_, {}, {}});
    }
    backend_.end(split);
    std::vector<float> result(kN, -1);
    backend_.read(out_.buffer, 0, std::as_writable_bytes(std::span(result)));
    EXPECT_EQ(result, std::vector<float>(kN, 3 * x));
    return replayed;
  }

  static Split split(std::int64_t n_tokens = 1) {
    return {.graph_id = 7, .first = 0, .last = 2, .n_tokens = n_tokens};
  }

 private:
  static constexpr int kN = 1000;
  static inline const TensorDesc kRow{DType::kF32, Shape{kN, 1}};
  BufferRef buffer() { return {backend_.allocate(kN * 4), 0, kN * 4}; }

  CudaBackend& backend_;
  BufferRef x_, middle_, out_;
  Node scale_, add_;
  PlannedNode planned_[2];
};

class Capture : public testing::Test {
 protected:
  void SetUp() override { MINFER_NEED_GPU(); }
};

TEST_F(Capture, RecordsTheThirdRunAndReplaysFromThenOn) {
  CudaBackend backend;
  TwoNodes nodes(backend);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(nodes.run(static_cast<float>(i) + 1, TwoNodes::split()), i >= 3) << i;
  EXPECT_EQ(backend.captures().recordings(), 1);
  EXPECT_EQ(backend.captures().replays(), 4);  // the recorded run is one too
}

TEST_F(Capture, RecordsAnewWhenAnAddressBecameInvalid) {
  CudaBackend backend;
  TwoNodes nodes(backend);
  for (int i = 0; i < 4; ++i) nodes.run(1, TwoNodes::split());
  backend.release(backend.allocate(100));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(nodes.run(static_cast<float>(i), TwoNodes::split()), i >= 3) << i;
  EXPECT_EQ(backend.captures().recordings(), 2);
}

TEST_F(Capture, IsOffForObservedRunsAndWhereLeversSaySo) {
  CudaBackend backend;
  TwoNodes nodes(backend);
  Split observed = TwoNodes::split();
  observed.may_replay = false;
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(nodes.run(1, observed));
  CudaOptions options;
  options.graphs = false;
  CudaBackend direct(options);
  TwoNodes direct_nodes(direct);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(direct_nodes.run(1, TwoNodes::split()));
  options.graphs = true;
  options.prefill_capture = false;
  CudaBackend decode_only(options);
  TwoNodes decode_nodes(decode_only);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(decode_nodes.run(1, TwoNodes::split(16)));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(decode_nodes.run(1, TwoNodes::split()), i >= 3);
}

TEST_F(Capture, FailuresTurnItOffAndLoseNoRun) {
  for (const Failure failure : {Failure::kBegin, Failure::kEnd, Failure::kInstantiate, Failure::kReplay}) {
    CudaBackend backend;
    TwoNodes nodes(backend);
    backend.fail_next_capture(failure);
    for (int i = 0; i < 6; ++i) nodes.run(static_cast<float>(i) + 1, TwoNodes::split());
    EXPECT_FALSE(backend.captures().enabled()) << static_cast<int>(failure);
    EXPECT_EQ(backend.captures().replays(), 0);
  }
}

TEST_F(Capture, AnErrorWithinARecordingDropsItAndTheDeviceGoesOn) {
  CudaBackend backend;
  TwoNodes nodes(backend);
  const Split split = TwoNodes::split();
  for (int i = 0; i < 2; ++i) nodes.run(1, split);
  const PlannedNode nothing{};
  EXPECT_FALSE(backend.begin(split));
  const Node node{.op = Scale{}, .out = {}, .inputs = {}, .weights = {}, .label = "unplanned"};
  EXPECT_THROW(backend.execute({&node, Plan{}}, {}), InternalError);
  backend.abort(split);
  EXPECT_EQ(backend.captures().recordings(), 0);
  for (int i = 0; i < 3; ++i) nodes.run(2, split);
  EXPECT_EQ(backend.captures().recordings(), 1) << "the next run is recorded";
}

TEST_F(Capture, MemoryIsNotTakenWithinARecording) {
  CudaBackend backend;
  TwoNodes nodes(backend);
  const Split split = TwoNodes::split();
  for (int i = 0; i < 2; ++i) nodes.run(1, split);
  EXPECT_FALSE(backend.begin(split));
  EXPECT_THROW(static_cast<void>(backend.allocate(std::size_t{1} << 20)), InternalError);
  backend.abort(split);
  EXPECT_NO_THROW(static_cast<void>(backend.allocate(std::size_t{1} << 20)));
  nodes.run(3, split);
}

}  // namespace
}  // namespace minfer::test
