#include "cli/bench/printer.h"

#include <fmt/core.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/cpu_features.h"
#include "cli/output.h"
#include "cli/version.h"

namespace minfer::cli {
namespace {

struct Column {
  std::string title;
  int width = 0;
  bool right = true;  // numbers stand to the right
  std::function<std::string(const BenchResult&)> text;
};

std::string size_text(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fmt::format("{:.2f} MiB", mib) : fmt::format("{:.2f} GiB", mib / 1024);
}

std::string params_text(std::uint64_t n) {
  const auto count = static_cast<double>(n);
  return count < 1e9 ? fmt::format("{:.2f} M", count * 1e-6) : fmt::format("{:.2f} B", count * 1e-9);
}

std::string rate_text(const BenchResult& result) {
  return fmt::format("{:.2f} ± {:.2f}", mean(result.rates()), sample_deviation(result.rates()));
}

std::string share_text(const BenchResult& result) {
  const std::optional<CeilingShare> share = result.share();
  if (!share) return "";
  return fmt::format("{:.1f} % of {:.1f} {}", 100 * share->used / share->ceiling, share->ceiling * 1e-9,
                     share->unit);
}

std::vector<Column> columns_of(const BenchOptions& options) {
  const BenchOptions defaults;
  std::vector<Column> columns = {
      {"model", 30, false, [](const BenchResult& r) { return r.model.type; }},
      {"size", 10, true, [](const BenchResult& r) { return size_text(r.model.tensor_bytes); }},
      {"params", 10, true, [](const BenchResult& r) { return params_text(r.model.n_params); }},
      {"backend", 10, false, [](const BenchResult&) { return std::string("CPU"); }},
      {"threads", 7, true, [](const BenchResult& r) { return std::to_string(r.test.n_threads); }},
  };
  if (options.n_batch != defaults.n_batch)
    columns.push_back(
        {"n_batch", 7, true, [](const BenchResult& r) { return std::to_string(r.test.n_batch); }});
  if (options.n_ubatch != defaults.n_ubatch)
    columns.push_back(
        {"n_ubatch", 8, true, [](const BenchResult& r) { return std::to_string(r.test.n_ubatch); }});
  if (options.kv_types != std::vector<std::string>{"f32"})
    for (const char* title : {"type_k", "type_v"})
      columns.push_back({title, 6, true, [](const BenchResult& r) { return r.test.kv_type; }});
  columns.push_back({"test", 15, true, [](const BenchResult& r) { return r.test.name(); }});
  columns.push_back({"t/s", 20, true, rate_text});
  if (options.ceilings) columns.push_back({"of the ceiling", 22, true, share_text});
  return columns;
}

// Pads by characters: "±" is one, of two bytes.
std::string padded(const std::string& text, const Column& column) {
  const auto length = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
  const std::string blanks(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, column.width - length)), ' ');
  return column.right ? blanks + text : text + blanks;
}

class MarkdownPrinter final : public BenchPrinter {
 public:
  explicit MarkdownPrinter(const BenchOptions& options) : columns_(columns_of(options)) {}

  void print(const BenchResult& result) override {
    std::string text = started_ ? "" : header();
    started_ = true;
    text += "|";
    for (const Column& column : columns_) text += fmt::format(" {} |", padded(column.text(result), column));
    write_output(text + "\n");
    if (result.noisy()) noisy_ += (noisy_.empty() ? "" : ", ") + result.test.name();
  }

  void finish() override {
    if (!started_) return;
    std::string text = fmt::format("\nbuild: {} ({})\n", build_commit(), build_number());
    if (!noisy_.empty()) text += fmt::format("noisy (deviation above 5 % of the mean): {}\n", noisy_);
    write_output(text);
  }

 private:
  std::string header() const {
    std::string titles = "|";
    std::string rule = "|";
    for (const Column& column : columns_) {
      titles += fmt::format(" {} |", padded(column.title, column));
      const std::string dashes(static_cast<std::size_t>(column.width - 1), '-');
      rule += fmt::format(" {}{} |", dashes, column.right ? ":" : "-");
    }
    return titles + "\n" + rule + "\n";
  }

  std::vector<Column> columns_;
  bool started_ = false;
  std::string noisy_;  // names of such tests
};

using Json = nlohmann::ordered_json;

void add_ceilings(Json& json, const BenchResult& result) {
  if (!result.ceilings) return;
  json["ceiling_read_gb_s"] = result.ceilings->read_bytes_per_s * 1e-9;
  json["ceiling_int8_gop_s"] = result.ceilings->int8_ops_per_s * 1e-9;
  json["ceiling_int8_kernel"] = result.ceilings->int8_kernel;
  if (const auto share = result.share()) {
    json[result.test.n_gen > 0 ? "read_gb_s" : "int8_gop_s"] = share->used * 1e-9;
    json["ceiling_share"] = share->used / share->ceiling;
  }
}

class JsonLinesPrinter final : public BenchPrinter {
 public:
  void print(const BenchResult& result) override {
    const BenchTest& test = result.test;
    const std::vector<double> rates = result.rates();
    const std::vector<double> times(result.samples_ns.begin(), result.samples_ns.end());
    Json json = {{"build_commit", build_commit()},
                 {"build_number", build_number()},
                 {"cpu_info", cpu_name()},
                 {"gpu_info", ""},
                 {"backends", "CPU"},
                 {"model_filename", result.model.path},
                 {"model_type", result.model.type},
                 {"model_size", result.model.tensor_bytes},
                 {"model_n_params", result.model.n_params},
                 {"n_batch", test.n_batch},
                 {"n_ubatch", test.n_ubatch},
                 {"n_threads", test.n_threads},
                 {"type_k", test.kv_type},
                 {"type_v", test.kv_type},
                 {"n_gpu_layers", 0},
                 {"n_prompt", test.n_prompt},
                 {"n_gen", test.n_gen},
                 {"n_depth", test.n_depth},
                 {"test_time", result.time},
                 {"avg_ns", static_cast<std::int64_t>(mean(times))},
                 {"stddev_ns", static_cast<std::int64_t>(sample_deviation(times))},
                 {"avg_ts", mean(rates)},
                 {"stddev_ts", sample_deviation(rates)},
                 {"median_ts", median(rates)},
                 {"noisy", result.noisy()},
                 {"samples_ns", result.samples_ns},
                 {"samples_ts", rates}};
    add_ceilings(json, result);
    write_output(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }
};

}  // namespace

std::unique_ptr<BenchPrinter> make_bench_printer(const BenchOptions& options) {
  if (options.format == "jsonl") return std::make_unique<JsonLinesPrinter>();
  return std::make_unique<MarkdownPrinter>(options);
}

}  // namespace minfer::cli
