// Runs one op on one backend, without a graph: describes the node, plans it, and executes it on poisoned memory.
#pragma once

#include <memory>

#include "backends/backend.h"
#include "support/op_data.h"

namespace minfer::test {

// The results of an op, as stored.
struct OpResult {
  TensorDesc desc;
  Bytes output;
  Bytes keys;  // the KV regions after the run; empty where the op does not touch them
  Bytes values;
};

// What the backend answers for the case, its weights registered. Where the backend wants input 0 in another type (the
// activation rows of an integer product), it is asked again with that type, as the lowering pass does.
Plan plan_op(Backend& backend, const OpCase& c);

// The case as the backend runs it: with input 0 in the type that its plan asks for.
OpCase lowered(Backend& backend, const OpCase& c);

// A lowered case, planned and in the backend's memory, to be executed any number of times. Output and workspace are
// poisoned with NaN bytes once. `in_place`: the output takes over the buffer of the input that the op allows. Throws
// InternalError where the backend does not support the case.
class OpRun {
 public:
  OpRun(Backend& backend, const OpCase& c, const OpData& data, bool in_place = false);
  ~OpRun();

  const Plan& plan() const;
  void execute();  // throws what the backend throws
  // Throws InternalError where what lies around the output was touched.
  OpResult result();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One execution of an OpRun.
OpResult run_op(Backend& backend, const OpCase& c, const OpData& data, bool in_place = false);

// The input whose buffer the output of this case may take over, or -1.
int in_place_input(const OpCase& c);

}  // namespace minfer::test
