// Runs a case on the reference and gives its operands and output as float32, for tests of the reference itself.
#pragma once

#include <vector>

#include "backends/reference/reference_backend.h"
#include "support/op_runner.h"

namespace minfer::test {

struct ReferenceRun {
  OpData data;
  OpResult result;

  explicit ReferenceRun(const OpCase& c, std::uint64_t seed = 1) : ReferenceRun(c, make_data(c, seed)) {}
  ReferenceRun(const OpCase& c, OpData operands) : data(std::move(operands)), case_(c) {
    ReferenceBackend backend;
    result = run_op(backend, c, data);
  }

  std::vector<float> input(int i) const { return decode(case_.inputs[i].desc, data.inputs[i]); }
  std::vector<float> weight(int i) const { return decode(case_.weights[i].desc, data.weights[i]); }
  std::vector<float> output() const { return decode(result.desc, result.output); }

 private:
  OpCase case_;
};

}  // namespace minfer::test
