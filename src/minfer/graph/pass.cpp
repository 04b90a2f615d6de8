#include "graph/pass.h"

#include <algorithm>
#include <chrono>

#include "base/check.h"
#include "graph/verify.h"

namespace minfer {
namespace {

void check_disabled(std::span<const Pass> passes, std::span<const std::string> disabled) {
  for (const std::string& name : disabled) {
    const auto pass = std::ranges::find(passes, name, &Pass::name);
    if (pass == passes.end())
      throw InvalidRequestError(fmt::format("there is no graph pass called '{}'", name));
    if (!pass->optional)
      throw InvalidRequestError(fmt::format("the graph pass '{}' cannot be disabled", name));
  }
}

void verify_after(std::string_view pass, const CompileState& state) {
  try {
    verify(state);
  } catch (const InternalError& error) {
    throw InternalError(fmt::format("after pass {}: {}", pass, error.what()));
  }
}

void run_timed(const Pass& pass, CompileState& state) {
  const auto start = std::chrono::steady_clock::now();
  const int changes = pass.run(state);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  state.report.passes.push_back({pass.name, elapsed.count(), changes});
}

}  // namespace

void run_passes(std::span<const Pass> passes, std::span<const std::string> disabled, CompileState& state) {
  check_disabled(passes, disabled);
  if (state.options->verify) verify_after("build", state);
  for (const Pass& pass : passes) {
    if (std::ranges::find(disabled, pass.name) == disabled.end()) run_timed(pass, state);
    state.stage = std::max(state.stage, pass.reached);
    if (state.options->verify) verify_after(pass.name, state);
  }
}

}  // namespace minfer
