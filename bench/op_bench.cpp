// Times the op cases of the tests on the CPU, all threads.
//
//   bench_ops --benchmark_filter='MatMul q4_K'
//
// Names are those of the cases. GB/s count the bytes that the plan says must move.
#include <benchmark/benchmark.h>

#include "backends/registry.h"
#include "support/op_runner.h"

namespace minfer::test {
namespace {

void time_case(benchmark::State& state, Backend& cpu, const OpCase& asked) {
  const OpCase c = lowered(cpu, asked);
  const OpData data = make_data(c, 1);
  OpRun run(cpu, c, data);
  for ([[maybe_unused]] const auto iteration : state) run.execute();
  const auto iterations = static_cast<std::int64_t>(state.iterations());
  state.SetBytesProcessed(iterations * static_cast<std::int64_t>(run.plan().bytes_moved));
  state.counters["flops"] = benchmark::Counter(static_cast<double>(run.plan().flops),
                                               benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(run.plan().kernel);
}

void register_cases(Backend& cpu) {
  for (const OpCases& op : all_op_cases())
    for (const OpCase& c : op.cases)
      if (!is_alias(c.op) && plan_op(cpu, c).supported)
        benchmark::RegisterBenchmark(name_of(c).c_str(), [&cpu, c](benchmark::State& s) {
          time_case(s, cpu, c);
        })->UseRealTime();
}

}  // namespace
}  // namespace minfer::test

int main(int argc, char** argv) {
  minfer::BackendOptions options;
  options.only = "cpu";
  const auto backends = minfer::make_backends(options);
  minfer::test::register_cases(*backends.front());
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
