#include "ops/rope_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "backends/cuda/ops/heads.h"
#include "backends/cuda/ops/refuse.h"
#include "ops/rope_angles.h"

namespace minfer::cuda {
namespace {

using Frequencies = std::vector<double>;  // radians per position of each pair

std::string refuse(const PlanContext& context) {
  const int n_pairs = context.op<RopeTable>().n_dims / 2;
  if (n_pairs > kMaxRopePairs) return fmt::format("{} rotated pairs, at most {}", n_pairs, kMaxRopePairs);
  return refuse_unless_f32(context);
}

void plan_node(const PlanContext& context, Plan& plan) {
  const auto& op = context.op<RopeTable>();
  std::span<const float> divisors;
  if (!context.weights.empty())
    divisors = {reinterpret_cast<const float*>(context.weights[0].host),
                static_cast<std::size_t>(op.n_dims / 2)};
  plan.state = std::make_shared<const Frequencies>(rope_frequencies(op, divisors));
  plan_flops<40>(context, plan);
}

void launch_node(const Launch& launch) {
  const auto& op = launch.op<RopeTable>();
  const auto& frequencies = *static_cast<const Frequencies*>(launch.state);
  RopeTableArgs args;
  args.positions = launch.input<const std::int32_t>(0);
  args.table = launch.out<float>();
  args.n_tokens = launch.node.out.shape.rows();
  args.n_pairs = static_cast<int>(frequencies.size());
  args.attention_factor = op.attention_factor;
  std::copy(frequencies.begin(), frequencies.end(), args.frequencies);
  launch_rope_table(args, launch.can_overlap(), launch.stream);
}

constexpr Candidate kRopeTable = {"rope_table", refuse, plan_node, launch_node};
constexpr const Candidate* kCandidates[] = {&kRopeTable};

}  // namespace

const OpKernels kRopeTableKernels = {RopeTable::kName, kCandidates};

}  // namespace minfer::cuda
