#include "base/probe/ceilings.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>

namespace minfer {
namespace {

constexpr std::int64_t kPageBytes = 4096;
constexpr long kShortRun = 100'000;      // iterations of the run that sets the length of the others
constexpr double kProbeSeconds = 0.004;  // of one run: short, so that some are not interrupted
constexpr int kProbeRuns = 20;
constexpr int kReadPasses = 3;
constexpr double kReadSeconds =
    0.1;  // a pass over few bytes is easily disturbed: then there are more of them
constexpr int kMaxReadPasses = 100;
std::atomic<std::uint64_t> g_probe_sink{0};  // results end here, so that the work cannot be left out

template <class Work>
double seconds_of(ThreadPool& pool, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  pool.run(work);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Four streams at a time, fetched ahead, in words of 16 bytes: a single stream of loads leaves a part of what some CPUs
// read from memory in 4 KB pages unused.
std::uint64_t sum_words(const std::byte* bytes, std::int64_t n_bytes) {
  using Words = std::uint64_t __attribute__((vector_size(16)));
  constexpr std::int64_t kStreams = 4;
  constexpr std::int64_t kLine = 64;
  constexpr std::int64_t kAhead = 1024;
  const std::int64_t stream_bytes = n_bytes / kStreams / kLine * kLine;
  Words sums[kStreams] = {};
  for (std::int64_t at = 0; at < stream_bytes; at += kLine) {
    for (std::int64_t s = 0; s < kStreams; ++s) {
      const std::byte* line = bytes + s * stream_bytes + at;
      __builtin_prefetch(line + kAhead);
      Words words[kLine / sizeof(Words)];
      std::memcpy(words, line, sizeof(words));
      for (const Words& word : words) sums[s] += word;
    }
  }
  std::uint64_t total = 0;
  for (const Words& sum : sums) total += sum[0] + sum[1];
  return total;
}

// Operations per second of all workers together: the best of some short runs.
template <class Loop>
double measure_rate(const Loop& loop, long ops_per_iteration, ThreadPool& pool) {
  long iterations = kShortRun;
  const auto run = [&](int, int) { loop(iterations); };
  const double seconds = seconds_of(pool, run);
  iterations = std::max(kShortRun, static_cast<long>(kShortRun * kProbeSeconds / seconds));
  double best = seconds_of(pool, run);
  for (int i = 1; i < kProbeRuns; ++i) best = std::min(best, seconds_of(pool, run));
  return static_cast<double>(ops_per_iteration) * static_cast<double>(iterations) * pool.size() / best;
}

}  // namespace

double measure_read_rate(std::span<const std::byte> bytes, ThreadPool& pool) {
  const auto read_part = [&](int worker, int n_workers) {
    const Range part = split_range(std::ssize(bytes), worker, n_workers, kPageBytes);
    g_probe_sink += sum_words(bytes.data() + part.begin, part.end - part.begin);
  };
  double best = seconds_of(pool, read_part);
  double total = best;
  for (int pass = 1; pass < kReadPasses || (total < kReadSeconds && pass < kMaxReadPasses); ++pass) {
    const double seconds = seconds_of(pool, read_part);
    best = std::min(best, seconds);
    total += seconds;
  }
  return static_cast<double>(bytes.size()) / best;
}

const Int8Probe& int8_probe([[maybe_unused]] const CpuFeatures& features) {
#if defined(__x86_64__)
  if (features.avx512_vnni) return kInt8ProbeAvx512Vnni;
  if (features.avx_vnni) return kInt8ProbeAvxVnni;
  if (features.avx2) return kInt8ProbeAvx2;
#elif defined(__aarch64__)
  if (features.i8mm) return kInt8ProbeNeonI8mm;
  if (features.dotprod) return kInt8ProbeNeonDotprod;
  if (features.neon) return kInt8ProbeNeon;
#endif
  return kInt8ProbeScalar;
}

double measure_int8_rate(const Int8Probe& probe, ThreadPool& pool) {
  return measure_rate([&](long n) { g_probe_sink += static_cast<std::uint64_t>(probe.run(n)); },
                      probe.ops_per_iteration, pool);
}

const FmaProbe& fma_probe([[maybe_unused]] const CpuFeatures& features) {
#if defined(__x86_64__)
  if (features.avx512) return kFmaProbeAvx512;
  if (features.avx2) return kFmaProbeAvx2;
  return kFmaProbeScalar;
#elif defined(__aarch64__)
  return kFmaProbeNeon;
#else
  return kFmaProbeScalar;
#endif
}

double measure_fma_rate(const FmaProbe& probe, ThreadPool& pool) {
  return measure_rate([&](long n) { g_probe_sink += static_cast<std::uint64_t>(probe.run(n)); },
                      probe.flops_per_iteration, pool);
}

}  // namespace minfer
