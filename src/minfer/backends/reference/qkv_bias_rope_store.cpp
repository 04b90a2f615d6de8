#include <algorithm>

#include "backends/reference/call.h"
#include "backends/reference/math.h"

namespace minfer::reference {
namespace {

// The weights of the node, decoded; empty where the op has none.
struct Weights {
  std::vector<float> bias;  // of q, k and v, one after another
  std::vector<float> q_norm;
  std::vector<float> k_norm;

  Weights(const QkvBiasRopeStore& op, const Call& call) {
    int next = 0;
    for (int i = 0; op.has_bias && i < 3; ++i) {
      const auto part = call.weight_row(next++, 0);
      bias.insert(bias.end(), part.begin(), part.end());
    }
    if (!op.has_norm) return;
    q_norm = call.weight_row(next, 0);
    k_norm = call.weight_row(next + 1, 0);
  }
};

// Norm (if the model has one) and rotation of each head of a row.
void norm_and_rotate(const QkvBiasRopeStore& op, std::span<const float> norm, std::span<const float> table,
                     std::span<float> row) {
  const auto head_dim = static_cast<std::size_t>(op.kv.head_dim);
  for (std::size_t first = 0; first < row.size(); first += head_dim) {
    const auto head = row.subspan(first, head_dim);
    if (!norm.empty()) rms_norm(head, norm, op.eps, head);
    rotate(op.style, table, head);
  }
}

}  // namespace

template <>
void run(const QkvBiasRopeStore& op, const Call& call) {
  const auto qkv = call.floats(0);
  const auto table = call.floats(1);
  const auto cells = call.ints(2).all();
  const auto out = call.output();
  const Weights weights(op, call);
  const KvRows keys = call.keys(op.kv);
  const KvRows values = call.values(op.kv);
  const auto n_q = static_cast<std::size_t>(out.cols());
  const auto n_kv = static_cast<std::size_t>(op.kv.row_values());
  for (std::int64_t token = 0; token < qkv.count(); ++token) {
    std::vector<float> row(qkv[token].begin(), qkv[token].end());
    for (std::size_t i = 0; i < weights.bias.size(); ++i) row[i] += weights.bias[i];
    const auto q = std::span(row).first(n_q);
    const auto k = std::span(row).subspan(n_q, n_kv);
    norm_and_rotate(op, weights.q_norm, table[token], q);
    norm_and_rotate(op, weights.k_norm, table[token], k);
    const std::int64_t cell = call.checked_index("cell", cells[token], keys.n_cells());
    keys.write(cell, k);
    values.write(cell, std::span(row).last(n_kv));
    std::copy(q.begin(), q.end(), out[token].begin());
  }
}

}  // namespace minfer::reference
