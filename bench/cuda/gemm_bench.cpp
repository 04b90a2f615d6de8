#include "backends/cuda/matmul/gemm_f16.h"
#include "backends/cuda/matmul/mmq.h"
#include "backends/cuda/matmul/mmq_tiers.h"
#include "bench_support.h"

namespace minfer::cuda::bench {
namespace {

struct Shape {
  const char* what;
  DType type;
  bool planar;
  std::int64_t n, k;
  bool swiglu;
};

constexpr Shape kShapes[] = {{"7B gate+up", DType::kQ4_K, false, 37888, 3584, true},
                             {"7B down", DType::kQ4_K, false, 3584, 18944, false},
                             {"7B down", DType::kQ6_K, true, 3584, 18944, false},
                             {"7B QKV", DType::kQ4_K, false, 4608, 3584, false},
                             {"7B O", DType::kQ4_K, false, 3584, 3584, false}};

void bench_mmq(const Bench& bench, const Shape& s, WeightMatrix matrix, std::int64_t n_tokens, double flops) {
  if (s.swiglu) matrix.n /= 2;
  WeightMatrix up = matrix;
  up.data = static_cast<const std::byte*>(matrix.data) +
            row_bytes(s.type, s.k) * static_cast<std::size_t>(matrix.n);
  const std::size_t stride = row_bytes(DType::kQ8Row32, s.k);
  DeviceBuffer x(stride * static_cast<std::size_t>(n_tokens)),
      out(4 * static_cast<std::size_t>(n_tokens * s.n));
  x.fill(random_blocks(DType::kF16, 1 << 18, 1.0f));
  const int tile = choose_mmq(bench.limits, s.type, n_tokens, true).tile_tokens;
  DeviceBuffer workspace(mmq_workspace(matrix, n_tokens, s.swiglu, tile) + 4);
  const MmqArgs args{matrix,
                     s.swiglu ? &up : nullptr,
                     x.get(),
                     static_cast<std::int64_t>(stride),
                     reinterpret_cast<float*>(out.get()),
                     matrix.n,
                     n_tokens,
                     tile,
                     workspace.get()};
  prepare_mmq(s.type, tile);
  const bool overlap = bench.limits.compute_capability >= 90;
  const double us = microseconds(bench.stream, 4, [&](int) { launch_mmq(args, overlap, bench.stream); });
  std::printf(", int8 %7.1f us %4.0f TOP/s\n", us, flops / us / 1e6);
}

void bench_shape(const Bench& bench, const Shape& s, std::int64_t n_tokens) {
  const std::size_t values = static_cast<std::size_t>(s.n * s.k),
                    acts = static_cast<std::size_t>(n_tokens * s.k);
  DeviceBuffer weights(row_bytes(s.type, s.k) * static_cast<std::size_t>(s.n)), w(2 * values),
      floats(4 * acts), x(2 * acts);
  DeviceBuffer scale(4 * static_cast<std::size_t>(n_tokens)),
      out(4 * static_cast<std::size_t>(n_tokens * s.n));
  weights.fill(random_blocks(s.type, 1 << 20, 0.02f));
  const std::vector<float> random = random_values(1 << 20, 1.0f);
  const auto* bytes = reinterpret_cast<const std::byte*>(random.data());
  floats.fill({bytes, bytes + 4 * random.size()});
  const WeightMatrix matrix{weights.get(), s.type, s.planar ? WeightLayout::kPlanar : WeightLayout::kRaw, s.n,
                            s.k};
  const double decode = microseconds(bench.stream, 4, [&](int) {
    launch_decode_f16({matrix, 0, s.n, w.get(), false, 0}, true, bench.stream);
  });
  const double convert = microseconds(bench.stream, 4, [&](int) {
    launch_activations_f16(floats.get(), DType::kF32, 4 * s.k, s.k, n_tokens, x.get(),
                           reinterpret_cast<float*>(scale.get()), true, bench.stream);
  });
  GemmF16Args args{w.get(),
                   x.get(),
                   reinterpret_cast<float*>(scale.get()),
                   nullptr,
                   reinterpret_cast<float*>(out.get()),
                   s.n,
                   static_cast<int>(s.n),
                   static_cast<int>(s.k),
                   static_cast<int>(n_tokens),
                   s.swiglu};
  const double flops = 2.0 * static_cast<double>(values) * static_cast<double>(n_tokens);
  std::printf("%-12s %-5s %6lldx%-6lld x %4lld tokens: decode %6.1f us, activations %6.1f us", s.what,
              std::string(dtype_name(s.type)).c_str(), static_cast<long long>(s.n),
              static_cast<long long>(s.k), static_cast<long long>(n_tokens), decode, convert);
  if (gemm_f16_sm90_supported(bench.limits)) {
    prepare_gemm_f16_sm90();
    const double us =
        microseconds(bench.stream, 4, [&](int) { launch_gemm_f16_sm90(args, bench.limits, bench.stream); });
    std::printf(", wgmma %7.1f us %4.0f TFLOP/s (all three %4.0f)", us, flops / us / 1e6,
                flops / (us + decode + convert) / 1e6);
  }
  const double us =
      microseconds(bench.stream, 4, [&](int) { launch_gemm_f16_mma(args, true, bench.stream); });
  std::printf(", mma %7.1f us %4.0f TFLOP/s", us, flops / us / 1e6);
  bench_mmq(bench, s, matrix, n_tokens, flops);
  std::fflush(stdout);
}

}  // namespace

void bench_gemm(const Bench& bench) {
  for (const std::int64_t n_tokens : {16, 64, 256, 512, 2048})
    for (const Shape& s : kShapes) bench_shape(bench, s, n_tokens);
}

}  // namespace minfer::cuda::bench
