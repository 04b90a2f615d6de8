// Attention alone, with the heads of Qwen3-0.6B (16 query heads, 8 KV heads, 128 values each): a chunk of a prompt
// after some depth, as a share of the float peak measured beside it, and one token at a depth, as bytes of keys and
// values a second.
//
//   bench_attn --benchmark_filter='prefill/f16/avx512'
//
// Names: prefill/CELLS/ISA/depth:D/threads:N (512 tokens) and decode/CELLS/ISA/depth:D/threads:N. Counters: FLOP/s (4 *
// head_dim for each query head and each key that it sees) and its share of the probe; bytes_per_second. With one
// thread the rates are per second of CPU time, with more of wall time. Decode walks over 16 layers, so that no cache
// holds them.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cmath>
#include <numeric>

#include "backends/cpu/cpu_backend.h"
#include "base/probe/ceilings.h"
#include "support/op_runner.h"
#include "support/paged_sequences.h"

namespace minfer::test {
namespace {

constexpr int kHeads = 16;
constexpr int kKvHeads = 8;
constexpr int kHeadDim = 128;
constexpr int kChunk = 512;
constexpr int kLayers = 16;

struct Setup {
  DType cell;
  CpuIsa isa;
  int depth;
  int n_new;
  int n_layers;
  int n_threads;
};

// Pages in order: what one user's run has.
OpCase attention(const Setup& setup) {
  const std::int32_t length = setup.depth + setup.n_new;
  const std::int64_t n_pages = (length + kKvPageSize - 1) / kKvPageSize;
  std::vector<std::int32_t> positions(static_cast<std::size_t>(setup.n_new));
  std::iota(positions.begin(), positions.end(), setup.depth);
  std::vector<std::int32_t> pages(static_cast<std::size_t>(n_pages));
  std::iota(pages.begin(), pages.end(), 0);
  OpCase c;
  c.op = Attn{.kv = {.layer = 0, .n_head_kv = kKvHeads, .head_dim = kHeadDim, .cell = setup.cell},
              .n_head = kHeads,
              .scale = 1 / std::sqrt(static_cast<float>(kHeadDim))};
  c.inputs = {floats({std::int64_t{kHeads} * kHeadDim, setup.n_new}), Operand{{DType::kHandle, Shape{1}}},
              ints({setup.n_new}, positions),
              ints({setup.n_new}, std::vector<std::int32_t>(positions.size())), ints({n_pages, 1}, pages)};
  c.n_cells = n_pages * kKvPageSize;
  c.written_cells.resize(static_cast<std::size_t>(length));
  std::iota(c.written_cells.begin(), c.written_cells.end(), 0);
  return c;
}

double flops(const Setup& setup) {
  const double keys = setup.n_new * (setup.depth + (setup.n_new + 1) / 2.0);
  return 4.0 * kHeadDim * kHeads * keys;
}

void run(benchmark::State& state, const Setup& setup) {
  CpuOptions options;
  options.isa = setup.isa;
  options.n_threads = setup.n_threads;
  CpuBackend backend(options);
  const OpCase c = attention(setup);
  const OpData data = make_data(c, 1);
  std::vector<std::unique_ptr<OpRun>> layers;
  for (int i = 0; i < setup.n_layers; ++i) layers.push_back(std::make_unique<OpRun>(backend, c, data));
  ThreadPool pool(setup.n_threads);
  const double peak = measure_fma_rate(fma_probe(detect_cpu_features()), pool);
  std::size_t next = 0;
  for ([[maybe_unused]] const auto iteration : state) layers[next++ % layers.size()]->execute();
  const std::size_t row = kv_geometry(c.op)->row_bytes();
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * (setup.depth + setup.n_new) * 2 *
                          static_cast<std::int64_t>(row));
  const auto rate = [&](double value) {
    return benchmark::Counter(value, benchmark::Counter::kIsIterationInvariantRate);
  };
  state.counters["FLOP/s"] = rate(flops(setup));
  state.counters["share"] = rate(flops(setup) / peak);
  state.counters["peak"] = peak;
}

void add(const char* kind, const Setup& setup) {
  const std::string name = fmt::format("{}/{}/{}/depth:{}/threads:{}", kind, dtype_name(setup.cell),
                                       isa_name(setup.isa), setup.depth, setup.n_threads);
  auto* added = benchmark::RegisterBenchmark(name.c_str(), [setup](benchmark::State& s) { run(s, setup); });
  if (setup.n_threads > 1) added->UseRealTime();
}

void add_all() {
  for (const CpuIsa isa : usable_isas(detect_cpu_features())) {
    for (const DType cell : {DType::kF32, DType::kF16, DType::kQ8_0}) {
      for (const int threads : {1, 2}) {
        for (const int depth : {0, 1792, 3584}) add("prefill", {cell, isa, depth, kChunk, 1, threads});
        add("decode", {cell, isa, 4095, 1, kLayers, threads});
      }
    }
  }
}

}  // namespace
}  // namespace minfer::test

int main(int argc, char** argv) {
  minfer::test::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
