#include "support_matrix.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "backends/registry.h"
#include "support/op_runner.h"

namespace minfer::test {
namespace {

using Backends = std::span<Backend* const>;

constexpr std::string_view kHeading = R"(# Support matrix

Which ops each backend runs, on which types. Generated from the answers of every backend's `plan` to the op cases in
`tests/ops`; a test fails when this page is out of date. To write it anew:

    ninja -C build/release support_matrix && build/release/tests/ops/support_matrix > docs/support-matrix.md

The CUDA backend, which not every build has, has a page of its own: docs/support-matrix-cuda.md.

The rows of an op's table are the types that its cases are about: of the weight for products and row gathers, of the KV
cells for stores and attention, of the output for ops that quantize. "reads q8_row32" (or "q8_row256") means that the
product is an integer one, on activations quantized to 8 bits (`quant/activation_row.h`). The `reference` backend is the
tests' oracle; a run takes it only when asked to (`--backend reference`).
)";

constexpr std::array<std::pair<FusedKind, std::string_view>, 6> kFusedKinds = {
    {{FusedKind::kQuantizeEpilogue, "Quantize into the op before it"},
     {FusedKind::kSwiGLU, "SwiGLU"},
     {FusedKind::kFusedQKV, "FusedQKV"},
     {FusedKind::kQkvBiasRopeStore, "QkvBiasRopeStore"},
     {FusedKind::kFusedFFN, "FusedFFN"},
     {FusedKind::kMatMulAdd, "MatMulAdd"}}};

std::string table_head(std::string_view first, Backends backends) {
  std::string names = fmt::format("| {} |", first);
  std::string rule = "|---|";
  for (Backend* backend : backends) {
    names += fmt::format(" {} |", backend->name());
    rule += "---|";
  }
  return names + "\n" + rule + "\n";
}

// The cases of each variant, in the order in which the variants first occur.
std::vector<std::pair<std::string, std::vector<OpCase>>> by_variant(const std::vector<OpCase>& cases) {
  std::vector<std::pair<std::string, std::vector<OpCase>>> groups;
  for (const OpCase& c : cases) {
    const auto same = [&](const auto& group) { return group.first == c.variant; };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(groups.end(), {c.variant, {}});
    group->second.push_back(c);
  }
  return groups;
}

std::string op_section(const OpCases& op, Backends backends) {
  std::string section = fmt::format("\n## {}\n\n{}", op.op, table_head("type", backends));
  for (const auto& [variant, cases] : by_variant(op.cases)) {
    section += fmt::format("| {} |", variant);
    for (Backend* backend : backends) section += fmt::format(" {} |", support_of(*backend, cases));
    section += "\n";
  }
  return section;
}

std::string fusion_section(Backends backends) {
  std::string section = fmt::format("\n## Fusion rules that may fire\n\n{}", table_head("rule", backends));
  for (const auto& [kind, name] : kFusedKinds) {
    section += fmt::format("| {} |", name);
    for (Backend* backend : backends)
      section += fmt::format(" {} |", backend->supports_fused(kind) ? "yes" : "no");
    section += "\n";
  }
  return section;
}

std::vector<std::unique_ptr<Backend>> all_backends() {
  std::vector<std::unique_ptr<Backend>> all;
  for (const std::string_view name : backend_names()) {
    if (name == "cuda") continue;  // which not every build has: docs/support-matrix-cuda.md
    BackendOptions options;
    options.only = name;
    options.n_threads = 1;
    all.push_back(std::move(make_backends(options).front()));
  }
  return all;
}

}  // namespace

std::string support_of(Backend& backend, const std::vector<OpCase>& cases) {
  std::size_t supported = 0;
  std::string detail;
  std::string reason;
  for (const OpCase& c : cases) {
    const Plan plan = plan_op(backend, c);
    supported += plan.supported;
    if (!plan.supported) reason = plan.reason;
    if (plan.supported && !c.inputs.empty() && plan.input_type != c.inputs[0].desc.dtype)
      detail = fmt::format(", reads {}", dtype_name(plan.input_type));
  }
  if (supported == cases.size()) return "yes" + detail;
  if (supported == 0) return "no: " + reason;
  return fmt::format("{} of {}{}; no: {}", supported, cases.size(), detail, reason);
}

std::string support_page(std::string_view heading, std::span<Backend* const> backends) {
  std::string page(heading);
  for (const OpCases& op : all_op_cases()) page += op_section(op, backends);
  return page + fusion_section(backends);
}

std::string support_matrix() {
  const auto owned = all_backends();
  std::vector<Backend*> backends;
  for (const auto& backend : owned) backends.push_back(backend.get());
  return support_page(kHeading, backends);
}

}  // namespace minfer::test
