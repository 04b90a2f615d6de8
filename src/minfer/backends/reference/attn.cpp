#include <algorithm>
#include <cmath>

#include "backends/reference/call.h"

namespace minfer::reference {
namespace {

// The cells of positions 0 .. position of a sequence, in order of position.
std::vector<std::int64_t> cells_of(const Call& call, std::int64_t slot, std::int64_t position,
                                   std::int64_t n_cells) {
  const auto page_table = call.ints(4);
  call.checked_index("slot", slot, page_table.count());
  call.checked_index("position", position, page_table.cols() * kKvPageSize);
  std::vector<std::int64_t> cells;
  for (std::int64_t p = 0; p <= position; ++p) {
    const std::int64_t page = page_table[slot][p / kKvPageSize];
    cells.push_back(call.checked_index("page", page, n_cells / kKvPageSize) * kKvPageSize + p % kKvPageSize);
  }
  return cells;
}

std::vector<std::vector<float>> rows_of(const KvRows& region, std::span<const std::int64_t> cells) {
  std::vector<std::vector<float>> rows;
  for (const std::int64_t cell : cells) rows.push_back(region.read(cell));
  return rows;
}

// softmax over the keys of scale * q . k. The head's keys start at value `first` of each row.
std::vector<double> attention_weights(std::span<const float> q, const std::vector<std::vector<float>>& keys,
                                      std::size_t first, double scale) {
  std::vector<double> weights;
  for (const std::vector<float>& key : keys) {
    double score = 0;
    for (std::size_t i = 0; i < q.size(); ++i) score += double{q[i]} * key[first + i];
    weights.push_back(score * scale);
  }
  const double largest = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& w : weights) sum += w = std::exp(w - largest);
  for (double& w : weights) w /= sum;
  return weights;
}

void weighted_sum(const std::vector<double>& weights, const std::vector<std::vector<float>>& values,
                  std::size_t first, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (std::size_t p = 0; p < weights.size(); ++p) sum += weights[p] * values[p][first + i];
    out[i] = static_cast<float>(sum);
  }
}

}  // namespace

template <>
void run(const Attn& op, const Call& call) {
  const auto q = call.floats(0);
  const auto positions = call.ints(2).all();
  const auto slots = call.ints(3).all();
  const KvRows key_cells = call.keys(op.kv);
  const KvRows value_cells = call.values(op.kv);
  const auto head_dim = static_cast<std::size_t>(op.kv.head_dim);
  const int heads_per_kv_head = op.n_head / op.kv.n_head_kv;
  std::vector<float> out(static_cast<std::size_t>(q.cols()));
  for (std::int64_t token = 0; token < q.count(); ++token) {
    const auto cells = cells_of(call, slots[token], positions[token], key_cells.n_cells());
    const auto keys = rows_of(key_cells, cells);
    const auto values = rows_of(value_cells, cells);
    for (int head = 0; head < op.n_head; ++head) {
      const std::size_t first = static_cast<std::size_t>(head) * head_dim;
      const std::size_t kv_first = static_cast<std::size_t>(head / heads_per_kv_head) * head_dim;
      const auto weights = attention_weights(q[token].subspan(first, head_dim), keys, kv_first, op.scale);
      weighted_sum(weights, values, kv_first, std::span(out).subspan(first, head_dim));
    }
    call.store_row(token, out);
  }
}

}  // namespace minfer::reference
