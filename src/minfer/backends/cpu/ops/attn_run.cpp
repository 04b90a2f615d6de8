#include "backends/cpu/ops/attn_run.h"

#include <algorithm>

#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

static_assert(kAttnBlock == kKvPageSize, "a block of keys is a page");

class AttnRun {
 public:
  AttnRun(const Launch& launch, const AttnInputs& in, const AttnShare& share)
      : launch_(launch), op_(launch.op<Attn>()), in_(in), share_(share) {}

  void run() const {
    if (share_.n_split_segments) {
      run_split();
    } else {
      run_whole();
    }
  }

 private:
  // Items one after another through all their segments; the last ones, whose tokens see most keys, first.
  void run_whole() const {
    const std::int64_t n = share_.n_items();
    parallel_items(launch_, n, cost_bytes(), [&](std::int64_t index, int worker) {
      const AttnItem item = share_.item(n - 1 - index);
      float* so_far = worker_states(2 * worker);
      float* segment_states = worker_states(2 * worker + 1);
      const std::int64_t n_segments = last_position(item) / kAttnSegment + 1;
      for (std::int64_t s = 0; s < n_segments; ++s) {
        attend(item, s, s == 0 ? so_far : segment_states, worker);
        if (s > 0) merge(item, s, so_far, segment_states);
      }
      finish(item, so_far);
    });
  }

  // Every (segment, item) on its own, then the merges.
  void run_split() const {
    const std::int64_t n_segments = in_.last_position() / kAttnSegment + 1;
    const AttnShare share = share_.for_segments(n_segments, launch_.pool.size());
    const std::int64_t n = share.n_items();
    parallel_items(launch_, n_segments * n, cost_bytes(), [&](std::int64_t index, int worker) {
      const AttnItem item = share.item(index % n);
      attend(item, index / n, split_states(index / n, item), worker);
    });
    const std::int64_t merge_bytes =
        n_segments * in_.n_tokens * op_.n_head * static_cast<std::int64_t>(share_.state_bytes());
    parallel_items(launch_, n, merge_bytes, [&](std::int64_t index, int) {
      const AttnItem item = share.item(index);
      float* so_far = split_states(0, item);
      for (std::int64_t s = 1; s < n_segments; ++s) merge(item, s, so_far, split_states(s, item));
      finish(item, so_far);
    });
  }

  // One segment for the item's tokens, a run of equal slots at a time.
  void attend(const AttnItem& item, std::int64_t segment, float* item_states, int worker) const {
    for (int begin = 0; begin < item.n_tokens;) {
      const std::int32_t slot = in_.slots[item.first_token + begin];
      int end = begin + 1;
      while (end < item.n_tokens && in_.slots[item.first_token + end] == slot) ++end;
      AttnItem run = item;
      run.first_token += begin;
      run.n_tokens = end - begin;
      attend_run(run, segment, item_states + state_offset(item, begin), worker);
      begin = end;
    }
  }

  void attend_run(const AttnItem& run, std::int64_t segment, float* run_states, int worker) const {
    const std::ptrdiff_t row = std::ptrdiff_t{op_.n_head} * op_.kv.head_dim;
    AttnSegment args;
    args.q = in_.q + run.first_token * row + std::ptrdiff_t{run.first_head} * op_.kv.head_dim;
    args.q_stride = row;
    args.positions = in_.positions + run.first_token;
    args.n_tokens = run.n_tokens;
    args.n_kv_heads = run.n_kv_heads;
    args.n_group = run.n_heads / run.n_kv_heads;
    args.head_dim = op_.kv.head_dim;
    args.scale = op_.scale;
    args.first_position = segment * kAttnSegment;
    args.pages = in_.pages(in_.slots[run.first_token]) + args.first_position / kAttnBlock;
    args.head_bytes = row_bytes(op_.kv.cell, op_.kv.head_dim);
    args.k = launch_.kv.k + static_cast<std::size_t>(run.kv_head) * args.head_bytes;
    args.v = launch_.kv.v + static_cast<std::size_t>(run.kv_head) * args.head_bytes;
    args.row_bytes = op_.kv.row_bytes();
    args.states = run_states;
    args.scratch = launch_.workspace + share_.states_bytes(launch_.pool.size()) +
                   static_cast<std::size_t>(worker) * share_.scratch_bytes();
    launch_.kernels.attn_segment[share_.cells](args);
  }

  // Takes a segment's states into those of the segments before it, where the token sees the segment at all.
  void merge(const AttnItem& item, std::int64_t segment, float* so_far, const float* later) const {
    for (int t = 0; t < item.n_tokens; ++t) {
      if (in_.positions[item.first_token + t] < segment * kAttnSegment) continue;
      const std::ptrdiff_t at = state_offset(item, t);
      launch_.kernels.attn_merge(so_far + at, later + at, item.n_heads, op_.kv.head_dim);
    }
  }

  void finish(const AttnItem& item, const float* item_states) const {
    for (int t = 0; t < item.n_tokens; ++t) {
      const std::int64_t head = (item.first_token + t) * op_.n_head + item.first_head;
      launch_.kernels.attn_finish(item_states + state_offset(item, t),
                                  launch_.out<float>() + head * op_.kv.head_dim, item.n_heads,
                                  op_.kv.head_dim);
    }
  }

  float* states_at(std::size_t offset) const { return reinterpret_cast<float*>(launch_.workspace + offset); }
  float* worker_states(int block) const {
    return states_at(static_cast<std::size_t>(block) * share_.item_states_bytes());
  }
  // Of all tokens (an item has all of them): segment by segment, head by head.
  float* split_states(std::int64_t segment, const AttnItem& item) const {
    const std::int64_t before = (segment * op_.n_head + item.first_head) * in_.n_tokens;
    return states_at(static_cast<std::size_t>(before) * share_.state_bytes());
  }
  std::ptrdiff_t state_offset(const AttnItem& item, int token) const {
    return std::ptrdiff_t{token} * item.n_heads * attn_state_floats(op_.kv.head_dim);
  }

  std::int64_t last_position(const AttnItem& item) const {
    const std::int32_t* first = in_.positions + item.first_token;
    return *std::max_element(first, first + item.n_tokens);
  }
  // Keys and values that all tokens read together.
  std::int64_t cost_bytes() const {
    std::int64_t keys = 0;
    for (std::int64_t t = 0; t < in_.n_tokens; ++t) keys += in_.positions[t] + 1;
    return 2 * keys * static_cast<std::int64_t>(op_.kv.row_bytes());
  }

  const Launch& launch_;
  const Attn& op_;
  const AttnInputs& in_;
  const AttnShare& share_;
};

}  // namespace

AttnInputs::AttnInputs(const Launch& launch)
    : q(launch.input<const float>(0)),
      positions(launch.input<const std::int32_t>(2)),
      slots(launch.input<const std::int32_t>(3)),
      page_table(launch.input<const std::int32_t>(4)),
      n_tokens(launch.input_descs[0].shape.rows()),
      n_slots(launch.input_descs[4].shape.rows()),
      max_pages(launch.input_descs[4].shape.cols()) {}

std::int64_t AttnInputs::last_position() const { return *std::max_element(positions, positions + n_tokens); }

void run_attention(const Launch& launch, const AttnInputs& in, const AttnShare& share) {
  AttnRun(launch, in, share).run();
}

}  // namespace minfer
