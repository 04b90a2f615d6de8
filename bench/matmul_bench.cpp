// Matrix product kernels alone: bytes of weights a second, for one token from memory and from cache (what decode is
// bound by), and multiply-adds a second for many tokens (what prefill is bound by).
//
//   bench_matmul --benchmark_filter='decode/q8_0/avx2/dram'
//
// Names: decode/TYPE/TABLE/{dram,cache}/threads:N, prefill/TYPE/TABLE/threads:N and, for the kernels for many tokens,
// prefill/TYPE/TABLE gemm/tokens:N/threads:N. Counters: bytes_per_second of weights; MAC/s.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cstring>
#include <random>
#include <vector>

#include "backends/cpu/matmul/gemm_lookup.h"
#include "backends/cpu/matmul/kernel_lookup.h"
#include "base/cpu_features.h"
#include "base/thread_pool.h"
#include "quant/activation_row.h"
#include "quant/traits.h"

namespace minfer {
namespace {

constexpr std::int64_t kColumns = 1024;
constexpr std::size_t kDramBytes = 256u << 20;   // several times the last-level cache
constexpr std::size_t kCacheBytes = 512u << 10;  // of each thread: its second-level cache
constexpr std::int64_t kPrefillTokens = 512;
constexpr std::size_t kPrefillBytes = 4u << 20;

struct Setup {
  const QuantTraits* traits;
  MatMulFn kernel;  // or, where null,
  const GemmKernel* gemm;
  std::size_t weight_bytes;
  std::int64_t n_tokens;
  int n_threads;
};

// Any bytes do as weights, as long as no scale is a NaN, an infinity or subnormal: all bytes are below 0x3c.
std::vector<std::uint8_t> random_weights(std::size_t bytes) {
  std::mt19937 generator(1);
  std::vector<std::uint8_t> weights(bytes);
  for (std::uint8_t& byte : weights) byte = static_cast<std::uint8_t>(0x20 + generator() % 0x1c);
  return weights;
}

std::vector<std::uint8_t> random_activations(DType type, std::int64_t n_tokens) {
  std::mt19937 generator(2);
  std::normal_distribution<float> normal;
  const std::size_t stride = row_bytes(type, kColumns);
  std::vector<std::uint8_t> rows(static_cast<std::size_t>(n_tokens) * stride);
  std::vector<float> values(kColumns);
  for (std::int64_t t = 0; t < n_tokens; ++t) {
    for (float& value : values) value = normal(generator);
    std::uint8_t* row = rows.data() + static_cast<std::size_t>(t) * stride;
    if (type == DType::kQ8Row32) encode_q8_row32(values.data(), row, kColumns);
    if (type == DType::kQ8Row256) encode_q8_row256(values.data(), row, kColumns);
    if (type == DType::kF32) std::memcpy(row, values.data(), stride);
  }
  return rows;
}

void run(benchmark::State& state, const Setup& setup) {
  const std::size_t row_stride = row_bytes(setup.traits->type, kColumns);
  const auto n_rows = static_cast<std::int64_t>(setup.weight_bytes / row_stride);
  const std::vector<std::uint8_t> weights = random_weights(static_cast<std::size_t>(n_rows) * row_stride);
  const std::vector<std::uint8_t> x = random_activations(setup.traits->activation, setup.n_tokens);
  std::vector<float> out(static_cast<std::size_t>(n_rows * setup.n_tokens));
  const std::size_t scratch_bytes = setup.gemm ? gemm_scratch_bytes(*setup.gemm, kColumns) : 0;
  std::vector<std::byte> scratch(static_cast<std::size_t>(setup.n_threads) * scratch_bytes);
  ThreadPool pool(setup.n_threads);
  for (auto _ : state) {
    pool.run([&](int worker, int n_workers) {
      const Range range = split_range(n_rows, worker, n_workers, 16);
      MatMulRows m;
      m.weights = weights.data() + static_cast<std::size_t>(range.begin) * row_stride;
      m.row_stride = row_stride;
      m.k = kColumns;
      m.n_rows = range.end - range.begin;
      m.x = x.data();
      m.x_stride = row_bytes(setup.traits->activation, kColumns);
      m.n_tokens = setup.n_tokens;
      m.out = out.data() + range.begin;
      m.out_stride = static_cast<std::size_t>(n_rows);
      if (setup.kernel) return setup.kernel(m);
      setup.gemm->run(m, scratch.data() + static_cast<std::size_t>(worker) * scratch_bytes);
    });
    benchmark::ClobberMemory();
  }
  const auto iterations = static_cast<std::int64_t>(state.iterations());
  state.SetBytesProcessed(iterations * n_rows * static_cast<std::int64_t>(row_stride));
  state.counters["MAC/s"] = benchmark::Counter(static_cast<double>(n_rows * kColumns * setup.n_tokens),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

void register_setup(const std::string& kind, const char* table, const std::string& memory,
                    const Setup& setup) {
  const std::string name = fmt::format("{}/{}/{}{}/threads:{}", kind, dtype_name(setup.traits->type), table,
                                       memory, setup.n_threads);
  benchmark::RegisterBenchmark(name.c_str(), [setup](benchmark::State& state) {
    run(state, setup);
  })->UseRealTime();
}

void register_kernel(const QuantTraits& traits, const MatMulKernels& kernels, int n_threads) {
  const MatMulFn kernel = find_matmul_kernel(kernels, traits.type);
  if (!kernel) return;
  const std::size_t cache_bytes = kCacheBytes * static_cast<std::size_t>(n_threads);
  register_setup("decode", kernels.name, "/dram", {&traits, kernel, nullptr, kDramBytes, 1, n_threads});
  register_setup("decode", kernels.name, "/cache", {&traits, kernel, nullptr, cache_bytes, 1, n_threads});
  register_setup("prefill", kernels.name, "",
                 {&traits, kernel, nullptr, kPrefillBytes, kPrefillTokens, n_threads});
}

void register_gemm(const QuantTraits& traits, const GemmKernels& kernels, int n_threads) {
  const GemmKernel* gemm = find_gemm_kernel(kernels, traits.type);
  if (!gemm) return;
  for (const std::int64_t tokens : {8, 16, 32, 64, 512})
    register_setup("prefill", kernels.name, fmt::format("/tokens:{}", tokens),
                   {&traits, nullptr, gemm, kPrefillBytes, tokens, n_threads});
}

template <typename Register>
void for_types_and_threads(Register add) {
  for (const QuantTraits* traits : all_quant_traits())
    for (const int n_threads : {1, 2}) add(*traits, n_threads);
}

void register_all() {
  std::vector<const MatMulKernels*> tables = {&kScalarMatMul};
#if defined(__x86_64__)
  const CpuFeatures features = detect_cpu_features();
  if (features.avx2) tables.push_back(&kAvx2MatMul);
  if (features.avx512_vnni) tables.push_back(&kAvx512MatMul);
  if (features.avx512_vnni)
    for_types_and_threads([](const auto& traits, int n) { register_gemm(traits, kAvx512Gemm, n); });
  if (features.amx_int8)
    for_types_and_threads([](const auto& traits, int n) { register_gemm(traits, kAmxGemm, n); });
#endif
  for (const MatMulKernels* kernels : tables)
    for_types_and_threads([&](const auto& traits, int n) { register_kernel(traits, *kernels, n); });
}

}  // namespace
}  // namespace minfer

int main(int argc, char** argv) {
  minfer::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
