#include "backends/cuda/matmul/mmv_float.h"
#include "backends/cuda/matmul/mmvq.h"
#include "backends/cuda/matmul/repack.h"
#include "bench_support.h"

namespace minfer::cuda::bench {
namespace {

struct Shape {
  const char* what;
  DType type;
  bool planar;
  std::int64_t n, k;
  bool ffn;
};

constexpr Shape kShapes[] = {{"7B gate+up", DType::kQ4_K, false, 18944, 3584, true},
                             {"7B gate+up unfused", DType::kQ4_K, false, 37888, 3584, false},
                             {"7B down", DType::kQ4_K, false, 3584, 18944, false},
                             {"7B down", DType::kQ6_K, true, 3584, 18944, false},
                             {"7B down", DType::kQ6_K, false, 3584, 18944, false},
                             {"7B head", DType::kQ6_K, true, 152064, 3584, false},
                             {"7B head", DType::kQ6_K, false, 152064, 3584, false},
                             {"7B QKV", DType::kQ4_K, false, 4608, 3584, false},
                             {"7B O", DType::kQ4_K, false, 3584, 3584, false},
                             {"7B V", DType::kQ6_K, true, 512, 3584, false},
                             {"7B gate+up", DType::kQ5_K, false, 18944, 3584, true},
                             {"7B gate+up", DType::kQ6_K, true, 18944, 3584, true},
                             {"7B gate+up", DType::kQ8_0, true, 18944, 3584, true},
                             {"7B gate+up", DType::kQ8_0, false, 18944, 3584, true},
                             {"7B gate+up", DType::kQ4_0, true, 18944, 3584, true},
                             {"7B gate+up", DType::kQ4_0, false, 18944, 3584, true},
                             {"7B gate+up", DType::kQ4_1, true, 18944, 3584, true},
                             {"7B gate+up", DType::kQ4_1, false, 18944, 3584, true},
                             {"7B gate+up", DType::kQ5_0, true, 18944, 3584, true},
                             {"7B gate+up", DType::kQ5_0, false, 18944, 3584, true},
                             {"7B gate+up", DType::kQ5_1, true, 18944, 3584, true},
                             {"7B gate+up", DType::kQ5_1, false, 18944, 3584, true},
                             {"0.5B gate+up", DType::kQ4_0, true, 4864, 896, true},
                             {"0.5B head", DType::kQ8_0, true, 151936, 896, false},
                             {"0.6B gate+up", DType::kQ8_0, true, 3072, 1024, true},
                             {"O", DType::kF16, false, 3584, 3584, false},
                             {"O", DType::kF32, false, 3584, 3584, false}};

// Time of a product with n_tokens, its weights taken from memory: as many copies as it takes to leave the cache
// behind.
double time_shape(const Bench& bench, const Shape& s, std::int64_t n_tokens) {
  const std::size_t one = row_bytes(s.type, s.k) * static_cast<std::size_t>(s.n) * (s.ffn ? 2 : 1);
  const int copies = static_cast<int>(std::min<std::size_t>(64, 4 * bench.limits.l2_bytes / one + 2));
  DeviceBuffer weights(one * static_cast<std::size_t>(copies));
  weights.fill(random_blocks(s.type, 1 << 20, 0.02f));
  const bool is_float = mmv_float_supported(s.type);
  const DType x_type = is_float ? DType::kF32 : DType::kQ8Row32;
  const std::size_t stride = row_bytes(x_type, s.k);
  DeviceBuffer x(stride * static_cast<std::size_t>(n_tokens)),
      out(static_cast<std::size_t>(n_tokens * s.n) * 4 + 4096);
  x.fill(random_blocks(DType::kF16, 1 << 18, 1.0f));
  const WeightLayout layout = s.planar ? WeightLayout::kPlanar : WeightLayout::kRaw;
  return microseconds(bench.stream, 2 * copies, [&](int i) {
    const std::byte* w = weights.get() + static_cast<std::size_t>(i % copies) * one;
    if (s.ffn) {
      FfnArgs args;
      args.gate = {w, s.type, layout, s.n, s.k};
      args.up = {w + one / 2, s.type, layout, s.n, s.k};
      args.x = x.get();
      args.x_stride = static_cast<std::int64_t>(stride);
      args.out = out.get();
      args.out_type = DType::kQ8Row32;
      args.out_stride = static_cast<std::int64_t>(row_bytes(DType::kQ8Row32, s.n));
      args.n_tokens = n_tokens;
      launch_mmvq_ffn(args, true, bench.stream);
      return;
    }
    MatmulArgs args;
    args.weights[0] = {w, s.type, layout, s.n, s.k};
    args.x = x.get();
    args.x_type = x_type;
    args.x_stride = static_cast<std::int64_t>(stride);
    args.out = reinterpret_cast<float*>(out.get());
    args.n_out = s.n;
    args.n_tokens = n_tokens;
    is_float ? launch_mmv_float(args, true, bench.stream) : launch_mmvq(args, true, bench.stream);
  });
}

}  // namespace

void bench_matvec(const Bench& bench) {
  std::printf("%-20s %-6s %-7s %13s   %s\n", "matrix-vector", "type", "layout", "shape",
              "us, GB/s of weights (share of copy) at 1 2 4 8 tokens");
  for (const Shape& s : kShapes) {
    const double bytes =
        static_cast<double>(row_bytes(s.type, s.k)) * static_cast<double>(s.n) * (s.ffn ? 2 : 1);
    std::printf("%-20s %-6s %-7s %6lldx%-6lld", s.what, std::string(dtype_name(s.type)).c_str(),
                s.planar ? "planar" : "raw", static_cast<long long>(s.n), static_cast<long long>(s.k));
    for (const std::int64_t n_tokens : {1, 2, 4, 8}) {
      const double us = time_shape(bench, s, n_tokens);
      std::printf("  %7.2f us %5.0f (%3.0f%%)", us, bytes / us / 1e3, bytes / us / 10.0 / bench.copy_gbs);
      if (s.n < 4000 && n_tokens == 1 && s.k > 10000 && s.planar) std::fflush(stdout);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace minfer::cuda::bench
