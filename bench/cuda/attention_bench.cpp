#include "backends/cuda/attention/tensor_core.h"
#include "bench_support.h"

namespace minfer::cuda::bench {
namespace {

struct Model {
  const char* what;
  int n_head, n_head_kv, head_dim;
};

constexpr Model kModels[] = {{"7B", 28, 4, 128}, {"8B", 32, 8, 128}, {"0.5B", 14, 2, 64}};

// One sequence of `length` cells, of which the last n_tokens ask. Layers enough to leave the cache behind.
class Problem {
 public:
  Problem(const Model& m, DType cell, int length, int n_tokens, std::size_t cache)
      : region_bytes_(row_bytes(cell, m.n_head_kv * m.head_dim) *
                      static_cast<std::size_t>((length + 63) / 64 * 64)),
        n_layers_(static_cast<int>(std::min<std::size_t>(64, 3 * cache / (2 * region_bytes_) + 2))),
        cells_(2 * region_bytes_ * static_cast<std::size_t>(n_layers_)),
        q_(static_cast<std::size_t>(n_tokens * m.n_head * m.head_dim) * 4),
        out_(q_.bytes()),
        ids_(1 << 20),
        workspace_(decode_attention_workspace(std::min(n_tokens, kMaxDecodeTokens), m.n_head, m.head_dim)),
        fault_(sizeof(Fault)) {
    cells_.fill(random_blocks(cell, 1 << 20, 1.0f));
    std::vector<std::int32_t> ids(static_cast<std::size_t>(n_tokens));
    for (int i = 0; i < n_tokens; ++i) ids[static_cast<std::size_t>(i)] = length - n_tokens + i;
    ids.resize(2 * static_cast<std::size_t>(n_tokens), 0);  // slots
    for (int i = 0; i < (length + 63) / 64; ++i) ids.push_back(i);
    MINFER_CUDA(cudaMemcpy(ids_.get(), ids.data(), 4 * ids.size(), cudaMemcpyHostToDevice));
    args_.q = reinterpret_cast<const float*>(q_.get());
    args_.positions = reinterpret_cast<const std::int32_t*>(ids_.get());
    args_.slots = args_.positions + n_tokens;
    args_.page_table = args_.slots + n_tokens;
    args_.n_slots = 1;
    args_.max_pages = (length + 63) / 64;
    args_.kv = {nullptr,
                nullptr,
                (length + 63) / 64 * 64,
                cell,
                m.n_head_kv,
                m.head_dim,
                static_cast<std::int64_t>(row_bytes(cell, m.n_head_kv * m.head_dim))};
    args_.out = out_.get();
    args_.out_stride = m.n_head * std::int64_t{m.head_dim} * 4;
    args_.n_tokens = n_tokens;
    args_.n_head = m.n_head;
    args_.scale = 0.088f;
    args_.workspace = workspace_.get();
    args_.faults = {reinterpret_cast<Fault*>(fault_.get()), 0};
  }
  AttentionArgs layer(int i) const {
    AttentionArgs a = args_;
    a.kv.k = cells_.get() + 2 * region_bytes_ * static_cast<std::size_t>(i % n_layers_);
    a.kv.v = a.kv.k + region_bytes_;
    return a;
  }
  int n_layers() const { return n_layers_; }

 private:
  std::size_t region_bytes_;
  int n_layers_;
  DeviceBuffer cells_, q_, out_, ids_, workspace_, fault_;
  AttentionArgs args_;
};

void bench_decode(const Bench& bench, const Model& m, DType cell) {
  prepare_decode_attention(cell, m.head_dim);
  std::printf("decode attention %-5s %-5s:", m.what, std::string(dtype_name(cell)).c_str());
  for (const int length : {128, 1024, 4096, 16384}) {
    const Problem problem(m, cell, length, 1, bench.limits.l2_bytes);
    const double us = microseconds(bench.stream, 2 * problem.n_layers(), [&](int i) {
      launch_decode_attention(problem.layer(i), true, bench.stream);
    });
    const double bytes = 2.0 * static_cast<double>(row_bytes(cell, m.n_head_kv * m.head_dim)) * length;
    std::printf("  %5d keys %6.2f us %5.0f GB/s", length, us, bytes / us / 1e3);
  }
  std::printf("\n");
  std::fflush(stdout);
}

void bench_prefill(const Bench& bench, const Model& m, DType cell) {
  prepare_prefill_attention(cell, m.head_dim);
  std::printf("prefill attention %-5s %-5s:", m.what, std::string(dtype_name(cell)).c_str());
  for (const int length : {512, 2048, 8192}) {
    const Problem problem(m, cell, length, length, 0);
    const double us = microseconds(
        bench.stream, 2, [&](int i) { launch_prefill_attention(problem.layer(i), true, bench.stream); });
    const double flops = 2.0 * static_cast<double>(length) * (length + 1) * m.n_head * m.head_dim;
    std::printf("  %5d tokens %8.1f us %4.0f TFLOP/s", length, us, flops / us / 1e6);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

void bench_attention(const Bench& bench) {
  for (const Model& m : kModels)
    for (const DType cell : {DType::kF16, DType::kQ8_0, DType::kF32}) bench_decode(bench, m, cell);
  for (const Model& m : kModels)
    for (const DType cell : {DType::kF16, DType::kQ8_0, DType::kF32}) bench_prefill(bench, m, cell);
}

}  // namespace minfer::cuda::bench
