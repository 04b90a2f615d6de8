#include "ops/attn.h"

#include "backends/cuda/attention/candidates.h"
#include "backends/cuda/attention/node.h"
#include "backends/cuda/attention/simple.h"
#include "backends/cuda/ops/kv_cells.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {

AttentionArgs attention_args(const Launch& launch) {
  const auto& op = launch.op<Attn>();
  const Shape& table = launch.input_descs[4].shape;
  AttentionArgs args;
  args.q = launch.input<const float>(0);
  args.positions = launch.input<const std::int32_t>(2);
  args.slots = launch.input<const std::int32_t>(3);
  args.page_table = launch.input<const std::int32_t>(4);
  args.n_slots = static_cast<int>(table.rows());
  args.max_pages = static_cast<int>(table.cols());
  args.kv = kv_cells(launch, op.kv);
  args.out = launch.output;
  args.out_type = op.output;
  args.out_stride = static_cast<std::int64_t>(row_bytes(op.output, launch.node.out.shape.cols()));
  args.n_tokens = launch.node.out.shape.rows();
  args.n_head = op.n_head;
  args.scale = op.scale;
  args.workspace = launch.workspace;
  args.faults = launch.faults;
  return args;
}

std::string refuse_attention(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_cells(context.op<Attn>().kv) : reason;
}

void plan_attention(const PlanContext& context, Plan& plan) {
  const auto& op = context.op<Attn>();
  const Shape& table = context.input(4).shape;
  // Every page of the table: how many are in use is data.
  const auto cells = static_cast<std::uint64_t>(table.elements()) * kKvPageSize;
  plan.bytes_moved += 2 * cells * op.kv.row_bytes();
  plan.flops = 4 * cells * static_cast<std::uint64_t>(context.spec.output.shape.cols());
}

std::string refuse_quantized(const PlanContext& context) {
  return context.op<Attn>().output == DType::kF32 ? refuse_attention(context) : "quantized results";
}

namespace {

void launch_node(const Launch& launch) { launch_simple_attention(attention_args(launch), launch.stream); }

constexpr const Candidate* kCandidates[] = {&kDecodeAttention, &kPrefillAttention, &kSimpleAttention};

}  // namespace

const Candidate kSimpleAttention = {"attn_simple", refuse_quantized, plan_attention, launch_node};

const OpKernels kAttnKernels = {Attn::kName, kCandidates};

}  // namespace minfer::cuda
