#include "backends/cuda/matmul/mmvq.h"

#include <algorithm>

#include "base/check.h"
#include "quant/activation_row.h"

namespace minfer::cuda {
namespace {

using Unit = void (*)(MmvqParams&, MmvqMode, bool, cudaStream_t);

Unit find_unit(DType type, WeightLayout layout) {
#define MINFER_FIND_UNIT(t, l, function) \
  if (type == DType::t && layout == WeightLayout::l) return function;
  MINFER_MMVQ_UNITS(MINFER_FIND_UNIT)
#undef MINFER_FIND_UNIT
  return nullptr;
}

// How many warps share the rows of a group. A function of the matrix alone, so that a product has the same bits
// whether it is fused with others or not: enough warps to fill a large GPU, as long as each has a step of k to do.
int split_of(const WeightMatrix& w) {
  const std::int64_t steps = (w.k / 32 + 31) / 32;
  int split = 1;
  while (split < kMaxSplit && w.n * split < 16384 && steps > split) split *= 2;
  return split;
}

MmvqParams make_params(const void* x, std::int64_t x_stride, std::int64_t k, std::int64_t n_tokens) {
  MINFER_CHECK(n_tokens >= 1 && n_tokens <= kMmvqMaxTokens, "{} tokens", n_tokens);
  MmvqParams p = {};
  p.n_chunks = static_cast<int>(k / 32);
  p.x = static_cast<const std::uint8_t*>(x);
  p.x_stride = x_stride;
  p.scales_offset = static_cast<int>(activation_scales_offset(static_cast<std::size_t>(k)));
  p.sums_offset = static_cast<int>(activation_sums_offset(static_cast<std::size_t>(k), 32));
  p.n_tokens = static_cast<int>(n_tokens);
  return p;
}

void add_matrix(MmvqParams& p, const WeightMatrix& w, std::int64_t first_out) {
  MmvqMatrix& m = p.matrices[p.n_matrices++];
  m.data = static_cast<const std::uint8_t*>(w.data);
  m.n_blocks = static_cast<std::size_t>(w.n * w.k / dtype_info(w.type).block_values);
  m.n = static_cast<int>(w.n);
  m.first_out = static_cast<int>(first_out);
  p.split = split_of(w);
}

bool launched_together(const WeightMatrix& a, const WeightMatrix& b) {
  return a.type == b.type && a.layout == b.layout && split_of(a) == split_of(b);
}

}  // namespace

bool number_groups(MmvqParams& p, int rows) {
  p.n_groups = 0;
  bool whole = true;
  for (int i = 0; i < p.n_matrices; ++i) {
    p.matrices[i].first_group = p.n_groups;
    p.n_groups += (p.matrices[i].n + rows - 1) / rows;
    whole = whole && p.matrices[i].n >= rows;
  }
  return whole;
}

void number_pairs(MmvqParams& p, int rows) {
  p.matrices[0].first_group = 0;
  p.n_groups = (p.matrices[0].n + rows / 2 - 1) / (rows / 2);
}

bool mmvq_supported(DType type, WeightLayout layout) { return find_unit(type, layout) != nullptr; }

void launch_mmvq(const MatmulArgs& args, bool overlap, cudaStream_t stream) {
  bool done[kMaxProjections] = {};
  for (int first = 0; first < args.n_weights; ++first) {
    if (done[first]) continue;
    const WeightMatrix& lead = args.weights[first];
    MmvqParams p = make_params(args.x, args.x_stride, lead.k, args.n_tokens);
    p.out = args.out;
    p.out_stride = args.n_out * std::int64_t{sizeof(float)};
    p.residual = args.residual;
    std::int64_t first_out = 0;
    for (int i = 0; i < args.n_weights; first_out += args.weights[i].n, ++i) {
      if (i < first || done[i] || !launched_together(lead, args.weights[i])) continue;
      add_matrix(p, args.weights[i], first_out);
      done[i] = true;
    }
    find_unit(lead.type, lead.layout)(p, MmvqMode::kMatrices, overlap, stream);
  }
}

void launch_mmvq_ffn(const FfnArgs& args, bool overlap, cudaStream_t stream) {
  MINFER_CHECK(launched_together(args.gate, args.up), "gate and up differ");
  MmvqParams p = make_params(args.x, args.x_stride, args.gate.k, args.n_tokens);
  p.out = args.out;
  p.out_stride = args.out_stride;
  add_matrix(p, args.gate, 0);
  add_matrix(p, args.up, 0);
  const bool quantized = args.out_type == DType::kQ8Row32;
  find_unit(args.gate.type, args.gate.layout)(p, quantized ? MmvqMode::kFfnQuantized : MmvqMode::kFfn,
                                              overlap, stream);
}

}  // namespace minfer::cuda
