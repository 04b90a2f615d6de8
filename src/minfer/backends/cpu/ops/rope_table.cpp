#include "ops/rope_table.h"

#include <vector>

#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/ops/sin_cos.h"
#include "backends/cpu/parallel.h"
#include "ops/rope_angles.h"

namespace minfer {
namespace {

using Frequencies = std::vector<double>;  // radians per position of each pair

void plan_rope_table(const PlanContext& context, Plan& plan) {
  const auto& op = context.op<RopeTable>();
  std::span<const float> divisors;
  if (!context.weights.empty())
    divisors = {reinterpret_cast<const float*>(context.weights[0].data),
                static_cast<std::size_t>(op.n_dims / 2)};
  plan.state = std::make_shared<const Frequencies>(rope_frequencies(op, divisors));
  plan_flops<40>(context, plan);
}

void launch_rope_table(const Launch& launch) {
  const auto& op = launch.op<RopeTable>();
  const auto& frequencies = *static_cast<const Frequencies*>(launch.state);
  const auto* positions = launch.input<const std::int32_t>(0);
  const auto n_pairs = static_cast<std::int64_t>(frequencies.size());
  parallel_ranges(launch, launch.node.out.shape.rows(), op.n_dims * 64, 1, [&](Range range, int) {
    for (std::int64_t t = range.begin; t < range.end; ++t) {
      float* row = launch.out<float>() + t * op.n_dims;
      for (std::int64_t i = 0; i < n_pairs; ++i) {
        const SinCos turn = sin_cos(positions[t] * frequencies[static_cast<std::size_t>(i)]);
        row[i] = static_cast<float>(turn.cosine * double{op.attention_factor});
        row[n_pairs + i] = static_cast<float>(turn.sine * double{op.attention_factor});
      }
    }
  });
}

constexpr Candidate kCandidates[] = {{"rope_table", refuse_unless_f32, plan_rope_table, launch_rope_table}};

}  // namespace

const OpKernels kRopeTableKernels = {RopeTable::kName, kCandidates};

}  // namespace minfer
