// minfer bench: tokens per second of prompts and generation, with llama-bench's flags, defaults and columns.
#include "cli/bench.h"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <memory>
#include <optional>

#include "base/mmap_file.h"
#include "cli/bench/baseline.h"
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

class Bench {
 public:
  explicit Bench(BenchOptions options)
      : options_(std::move(options)), tests_(bench_tests(options_)), printer_(make_bench_printer(options_)) {
    if (!options_.compare.empty()) baseline_ = Baseline::read(options_.compare);  // before time is spent
  }

  // A model that fails does not cost the others their results.
  int execute() {
    int status = 0;
    for (const std::string& path : options_.models) {
      try {
        measure_model(resolve_model_path(path));
      } catch (const CancelledError&) {
        show_progress("");
        printer_->finish();
        throw;
      } catch (const Error& error) {
        show_progress("");
        print_error(error.what());
        status = kExitFailure;
      }
    }
    printer_->finish();
    report_unmatched();
    return status;
  }

 private:
  void measure_model(const std::string& path) {
    const std::shared_ptr<const Model> model = Model::load(path);
    const MmapFile file(path);
    for (const BenchTest& test : tests_) {
      BenchResult result;
      result.test = test;
      result.model = model->info();
      result.time = utc_now();
      show_progress(fmt::format("{}: warm-up", test.name()));
      if (options_.ceilings) result.ceilings = measure_ceilings(file.bytes(), test.n_threads);
      measure_test(model, result);
      show_progress("");
      compare(result);
      printer_->print(result);
    }
  }

  void measure_test(const std::shared_ptr<const Model>& model, BenchResult& result) const {
    BenchRunner runner(model, result.test, options_.seed, stop_);
    result.backend = runner.engine().backend();
    result.device = runner.engine().description();
    result.test.n_ubatch = runner.engine().options().n_ubatch;
    result.test.kv_type = kv_type_name(runner.engine().options().kv_cell);
    if (options_.ceilings && result.backend != "cpu") {  // the CPU's are of no use then
      result.ceilings = Ceilings{};
      result.ceilings->read_bytes_per_s = runner.engine().measure_copy_rate();
    }
    runner.prepare(options_.warm_up);
    for (int i = 0; i < options_.repetitions; ++i) {
      show_progress(fmt::format("{}: run {} of {}", result.test.name(), i + 1, options_.repetitions));
      result.samples_ns.push_back(runner.measure());
    }
    result.clocks = runner.engine().clock_rates();
    result.kv_bytes_per_position = runner.engine().kv_bytes_per_position();
    report_diagnostics(runner.engine());
  }

  void compare(BenchResult& result) {
    if (!baseline_) return;
    if (const std::vector<double>* earlier = baseline_->find(result)) {
      result.comparison = compare_rates(*earlier, result.rates());
    } else {
      print_note(fmt::format("{} has no row of {}", baseline_->name(), bench_row_identity(result)));
    }
  }

  void report_unmatched() const {
    if (!baseline_) return;
    for (const std::string& row : baseline_->unmatched())
      print_note(fmt::format("{} also has {}, which was not measured now", baseline_->name(), row));
  }

  const BenchOptions options_;
  const std::stop_token stop_ = interrupt_token();  // before engines start their threads
  std::vector<BenchTest> tests_;
  std::unique_ptr<BenchPrinter> printer_;
  std::optional<Baseline> baseline_;
};

}  // namespace

CommandBody declare_bench(CLI::App& parser) {
  auto flags = std::make_shared<BenchFlags>();
  add_bench_flags(parser, *flags);
  return [flags] { return Bench(parse_bench_flags(*flags)).execute(); };
}

}  // namespace minfer::cli
