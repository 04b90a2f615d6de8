// Every backend, in every configuration, on every case of every op: close to the reference, the same bits in all
// configurations, and the same bits when the output takes over an input's buffer.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "backends/reference/reference_backend.h"
#include "configurations.h"
#include "support/op_compare.h"

namespace minfer::test {
namespace {

std::uint64_t seed_of(const OpCase& c) { return std::hash<std::string>{}(name_of(c)); }

// Alias ops and inputs run no kernel.
bool computes(const OpCase& c) { return !is_alias(c.op) && !std::holds_alternative<Input>(c.op); }

void check_case(const OpCase& asked, std::vector<std::unique_ptr<Backend>>& backends,
                const std::vector<Configuration>& configurations) {
  OpCase c = lowered(*backends[0], asked);
  // Sums of products of either sign are smaller than the sum of their magnitudes, which only products are compared to.
  const double rounding = plan_op(*backends[0], c).rounding;
  c.tolerance = std::max(c.tolerance, is_product(c.op) ? rounding : 8 * rounding);
  SCOPED_TRACE(name_of(c));
  const OpData data = make_data(c, seed_of(c));
  ReferenceBackend oracle;
  const OpResult expected = run_op(oracle, c, data);
  const OpResult first = run_op(*backends[0], c, data);
  EXPECT_TRUE(close_to(c, data, first, expected)) << configurations[0].name;
  for (std::size_t i = 0; i < backends.size(); ++i) {
    SCOPED_TRACE(configurations[i].name);
    EXPECT_TRUE(same_bits(run_op(*backends[i], c, data), first));
    const bool in_place = in_place_input(c) >= 0;
    EXPECT_TRUE(!in_place || same_bits(run_op(*backends[i], c, data, true), first)) << "in place";
  }
}

class Conformance : public testing::TestWithParam<OpCases> {};

TEST_P(Conformance, EveryConfigurationOfEveryBackend) {
  for (const auto& [name, configurations] : backends_under_test()) {
    std::vector<std::unique_ptr<Backend>> backends;
    for (const Configuration& configuration : configurations) backends.push_back(configuration.make());
    for (const OpCase& c : GetParam().cases) {
      // What a backend does not support is listed in docs/support-matrix.md, which a test keeps true.
      if (computes(c) && plan_op(*backends[0], c).supported) check_case(c, backends, configurations);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Conformance, testing::ValuesIn(all_op_cases()),
                         [](const auto& test) { return test.param.op; });

TEST(OpCases, NamesAreUniqueWithinAnOp) {
  for (const OpCases& op : all_op_cases()) {
    std::vector<std::string> names;
    for (const OpCase& c : op.cases) names.push_back(name_of(c));
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << op.op;
    EXPECT_FALSE(names.empty()) << op.op;
  }
}

}  // namespace
}  // namespace minfer::test
