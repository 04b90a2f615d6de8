// The weights of a decode step of Qwen2.5-7B Q4_K_M in the order of the step, without what lies between the products.
#include "backends/cuda/matmul/mmvq.h"
#include "bench_support.h"

namespace minfer::cuda::bench {
namespace {

struct Layer {
  WeightMatrix q, k, v, o, gate, up, down;
};

class Step {
 public:
  Step() : memory_(std::size_t{5} << 30), x_(1 << 20), y_(1 << 20) {
    memory_.fill(random_blocks(DType::kQ4_K, 1 << 20, 0.02f));
    x_.fill(random_blocks(DType::kF16, 1 << 18, 1.0f));
    for (int i = 0; i < 28; ++i) {
      const DType more = i % 2 ? DType::kQ6_K : DType::kQ4_K;
      layers_.push_back({take(DType::kQ4_K, 3584, 3584), take(DType::kQ4_K, 512, 3584), take(more, 512, 3584),
                         take(DType::kQ4_K, 3584, 3584), take(DType::kQ4_K, 18944, 3584),
                         take(DType::kQ4_K, 18944, 3584), take(more, 3584, 18944)});
    }
    head_ = take(DType::kQ6_K, 152064, 3584);
  }
  std::size_t bytes() const { return used_; }
  void run(bool overlap, std::int64_t n_tokens, cudaStream_t stream) const {
    for (const Layer& l : layers_) {
      product({l.q, l.k, l.v}, n_tokens, overlap, stream);
      product({l.o}, n_tokens, overlap, stream);
      FfnArgs ffn;
      ffn.gate = l.gate;
      ffn.up = l.up;
      ffn.x = x_.get();
      ffn.x_stride = static_cast<std::int64_t>(row_bytes(DType::kQ8Row32, 3584));
      ffn.out = y_.get();
      ffn.out_type = DType::kQ8Row32;
      ffn.out_stride = static_cast<std::int64_t>(row_bytes(DType::kQ8Row32, 18944));
      ffn.n_tokens = n_tokens;
      launch_mmvq_ffn(ffn, overlap, stream);
      product({l.down}, n_tokens, overlap, stream);
    }
    product({head_}, 1, overlap, stream);
  }

 private:
  WeightMatrix take(DType type, std::int64_t n, std::int64_t k) {
    const WeightLayout layout = type == DType::kQ6_K ? WeightLayout::kPlanar : WeightLayout::kRaw;
    const WeightMatrix w{memory_.get() + used_, type, layout, n, k};
    used_ += (row_bytes(type, k) * static_cast<std::size_t>(n) + 255) / 256 * 256;
    return w;
  }
  void product(const std::vector<WeightMatrix>& weights, std::int64_t n_tokens, bool overlap,
               cudaStream_t stream) const {
    MatmulArgs args;
    args.n_weights = 0;
    for (const WeightMatrix& w : weights) {
      args.weights[args.n_weights++] = w;
      args.n_out += w.n;
    }
    args.x = x_.get();
    args.x_stride = static_cast<std::int64_t>(row_bytes(DType::kQ8Row32, weights[0].k));
    args.out = reinterpret_cast<float*>(y_.get());
    args.n_tokens = n_tokens;
    launch_mmvq(args, overlap, stream);
  }

  DeviceBuffer memory_, x_, y_;
  std::size_t used_ = 0;
  std::vector<Layer> layers_;
  WeightMatrix head_;
};

}  // namespace

void bench_decode_step(const Bench& bench) {
  const Step step;
  for (const bool overlap : {false, true}) {
    for (const std::int64_t n_tokens : {1, 2, 4, 8}) {
      const double us =
          microseconds(bench.stream, 1, [&](int) { step.run(overlap, n_tokens, bench.stream); });
      std::printf(
          "products of a 7B Q4_K_M step, %lld tokens, overlap %d: %.0f us, %.0f GB/s (%.0f%% of copy), %.0f "
          "steps/s\n",
          static_cast<long long>(n_tokens), overlap, us, static_cast<double>(step.bytes()) / us / 1e3,
          static_cast<double>(step.bytes()) / us / 10.0 / bench.copy_gbs, 1e6 / us);
    }
  }
}

}  // namespace minfer::cuda::bench
