#include "ops/attn.h"

#include <algorithm>

#include "backends/cpu/ops/attn_run.h"
#include "backends/cpu/ops/attn_share.h"
#include "backends/cpu/ops/kv_cells.h"
#include "backends/cpu/ops/refuse.h"

namespace minfer {
namespace {

// Pages [first_page, position / kKvPageSize] of a slot must be there, as far as `position`.
void check_pages(const Launch& launch, const AttnInputs& in, std::int64_t slot, std::int64_t position,
                 std::int64_t first_page) {
  for (std::int64_t i = first_page; i <= position / kKvPageSize; ++i) {
    const std::int64_t page = in.pages(slot)[i];
    const std::int64_t last_cell =
        page * kKvPageSize + std::min(position - i * kKvPageSize, std::int64_t{kKvPageSize - 1});
    MINFER_CHECK(page >= 0 && last_cell < launch.kv.n_cells,
                 "{}: page {} of slot {} is {}, which is not in a region of {} cells", launch.node.label, i,
                 slot, page, launch.kv.n_cells);
  }
}

// Every token's slot, position and pages, before anything is read through them.
void check_tokens(const Launch& launch, const AttnInputs& in) {
  std::int64_t checked_slot = -1;
  std::int64_t checked_pages = 0;  // of checked_slot
  for (std::int64_t t = 0; t < in.n_tokens; ++t) {
    const std::int64_t slot = in.slots[t];
    const std::int64_t position = in.positions[t];
    MINFER_CHECK(slot >= 0 && slot < in.n_slots, "{}: token {} has slot {} of {}", launch.node.label, t, slot,
                 in.n_slots);
    MINFER_CHECK(position >= 0 && position / kKvPageSize < in.max_pages,
                 "{}: token {} has position {}, beyond {} pages", launch.node.label, t, position,
                 in.max_pages);
    if (slot != checked_slot) checked_pages = 0;
    const std::int64_t last_page = position / kKvPageSize;
    // A last page is checked only up to the position, so it is checked again.
    check_pages(launch, in, slot, position, std::min(checked_pages, last_page));
    checked_slot = slot;
    checked_pages = std::max(checked_pages, last_page);
  }
}

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  if (context.op<Attn>().output != DType::kF32) return "quantized results";
  return reason.empty() ? refuse_cells(context.op<Attn>().kv) : reason;
}

void plan_attn(const PlanContext& context, Plan& plan) {
  const AttnShare share = share_attention(context);
  plan.workspace_bytes = share.workspace_bytes(context.n_workers);
  plan.state = std::make_shared<const AttnShare>(share);
}

void launch_attn(const Launch& launch) {
  check_kv_region(launch, launch.op<Attn>().kv);
  const AttnInputs in(launch);
  check_tokens(launch, in);
  run_attention(launch, in, *static_cast<const AttnShare*>(launch.state));
}

constexpr Candidate kCandidates[] = {{"attn", refuse, plan_attn, launch_attn}};

}  // namespace

const OpKernels kAttnKernels = {Attn::kName, kCandidates};

}  // namespace minfer
