// minfer bench: tokens per second of prompts and generation, with llama-bench's flags, defaults and columns.
#include "cli/bench.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <chrono>
#include <memory>

#include "base/mmap_file.h"
#include "base/probe/ceilings.h"
#include "cli/bench/options.h"
#include "cli/bench/printer.h"
#include "cli/bench/runner.h"
#include "cli/diagnostics.h"
#include "cli/interrupt.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "minfer/error.h"

namespace minfer::cli {
namespace {

std::string utc_now() {
  return fmt::format("{:%FT%TZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

Ceilings measure_ceilings(const MmapFile& file, int n_threads) {
  ThreadPool pool(n_threads);
  const Int8Probe& probe = int8_probe(detect_cpu_features());
  return {measure_read_rate(file.bytes(), pool), measure_int8_rate(probe, pool), probe.name};
}

class Bench {
 public:
  explicit Bench(BenchOptions options)
      : options_(std::move(options)), tests_(bench_tests(options_)), printer_(make_bench_printer(options_)) {}

  // A model that fails does not cost the others their results.
  int execute() {
    int status = 0;
    for (const std::string& path : options_.models) {
      try {
        measure_model(resolve_model_path(path));
      } catch (const CancelledError&) {
        show_progress("");
        throw;
      } catch (const Error& error) {
        show_progress("");
        print_error(error.what());
        status = kExitFailure;
      }
    }
    printer_->finish();
    return status;
  }

 private:
  void measure_model(const std::string& path) {
    const std::shared_ptr<const Model> model = Model::load(path);
    const MmapFile file(path);
    for (const BenchTest& test : tests_) {
      BenchResult result{test, model->info(), utc_now(), {}, {}};
      show_progress(fmt::format("{}: warm-up", test.name()));
      if (options_.ceilings) result.ceilings = measure_ceilings(file, test.n_threads);
      measure_test(model, result);
      show_progress("");
      printer_->print(result);
    }
  }

  void measure_test(const std::shared_ptr<const Model>& model, BenchResult& result) const {
    BenchRunner runner(model, result.test, options_.seed, stop_);
    runner.prepare(options_.warm_up);
    for (int i = 0; i < options_.repetitions; ++i) {
      show_progress(fmt::format("{}: run {} of {}", result.test.name(), i + 1, options_.repetitions));
      result.samples_ns.push_back(runner.measure());
    }
    report_diagnostics(runner.engine());
  }

  const BenchOptions options_;
  const std::stop_token stop_ = interrupt_token();  // before engines start their threads
  std::vector<BenchTest> tests_;
  std::unique_ptr<BenchPrinter> printer_;
};

}  // namespace

CommandBody declare_bench(CLI::App& parser) {
  auto flags = std::make_shared<BenchFlags>();
  add_bench_flags(parser, *flags);
  return [flags] { return Bench(parse_bench_flags(*flags)).execute(); };
}

}  // namespace minfer::cli
