#include "cli/bench/markdown.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "cli/bench/statistics.h"
#include "cli/output.h"
#include "cli/units.h"
#include "cli/version.h"

namespace minfer::cli {
namespace {

struct Column {
  std::string title;
  int width = 0;
  bool right = true;  // numbers stand to the right
  std::function<std::string(const BenchResult&)> text;
};

std::string params_text(std::uint64_t n) {
  const auto count = static_cast<double>(n);
  return count < 1e9 ? fmt::format("{:.2f} M", count * 1e-6) : fmt::format("{:.2f} B", count * 1e-9);
}

std::string rate_text(const BenchResult& result) {
  return fmt::format("{:.2f} ± {:.2f}", mean(result.rates()), sample_deviation(result.rates()));
}

// "12.3 % noisy": a mark beside the number, so that a row that is copied keeps it.
std::string spread_text(const BenchResult& result) {
  return fmt::format("{:.1f} %{}", 100 * spread(result.rates()), result.noisy() ? " noisy" : "");
}

std::string comparison_text(const BenchResult& result) {
  if (!result.comparison) return "no such row";
  const Comparison& c = *result.comparison;
  return fmt::format("{:.3f} ({:.3f}-{:.3f}) {}", c.ratio, c.lowest, c.highest, verdict_name(c.verdict));
}

std::string share_text(const BenchResult& result) {
  const std::optional<CeilingShare> share = result.share();
  if (!share) return "";
  return fmt::format("{:.1f} % of {:.1f} {}", 100 * share->used / share->ceiling, share->ceiling * 1e-9,
                     share->unit);
}

// Whether the types of cells are what goes without saying.
bool has_plain_cells(const BenchOptions& options, const BenchResult& first) {
  const bool asked = options.kv_types != std::vector<std::string>{""};
  return asked ? options.kv_types == std::vector<std::string>{"f32"} : first.test.kv_type == "f32";
}

std::vector<Column> columns_of(const BenchOptions& options, const BenchResult& first) {
  const BenchOptions defaults;
  std::vector<Column> columns = {
      {"model", 30, false, [](const BenchResult& r) { return r.model.type; }},
      {"size", 10, true, [](const BenchResult& r) { return size_text(r.model.tensor_bytes); }},
      {"params", 10, true, [](const BenchResult& r) { return params_text(r.model.n_params); }},
      {"backend", 10, false, [](const BenchResult& r) { return backend_title(r.backend); }},
      {"threads", 7, true, [](const BenchResult& r) { return std::to_string(r.test.n_threads); }},
  };
  if (options.n_batch != defaults.n_batch)
    columns.push_back(
        {"n_batch", 7, true, [](const BenchResult& r) { return std::to_string(r.test.n_batch); }});
  if (options.n_ubatch != defaults.n_ubatch)
    columns.push_back(
        {"n_ubatch", 8, true, [](const BenchResult& r) { return std::to_string(r.test.n_ubatch); }});
  if (!has_plain_cells(options, first))
    for (const char* title : {"type_k", "type_v"})
      columns.push_back({title, 6, true, [](const BenchResult& r) { return r.test.kv_type; }});
  columns.push_back({"test", 15, true, [](const BenchResult& r) { return r.test.name(); }});
  columns.push_back({"t/s", 20, true, rate_text});
  columns.push_back(
      {"median", 8, true, [](const BenchResult& r) { return fmt::format("{:.2f}", median(r.rates())); }});
  columns.push_back({"spread", 12, true, spread_text});
  if (options.ceilings) columns.push_back({"of the ceiling", 24, true, share_text});
  if (!options.compare.empty()) columns.push_back({"against before", 28, true, comparison_text});
  return columns;
}

// "device: NVIDIA H200 (...)", and what its clocks were when the last test ended.
std::string gpu_text(const BenchResult& result) {
  std::string text = fmt::format("device: {}\n", result.device);
  if (result.clocks.core_mhz > 0)
    text += fmt::format("clocks after the last run: {} MHz, memory {} MHz\n", result.clocks.core_mhz,
                        result.clocks.memory_mhz);
  return text;
}

// Pads by characters: "±" is one, of two bytes.
std::string padded(const std::string& text, const Column& column) {
  const auto length = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
  const std::string blanks(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, column.width - length)), ' ');
  return column.right ? blanks + text : text + blanks;
}

class MarkdownPrinter final : public BenchPrinter {
 public:
  explicit MarkdownPrinter(const BenchOptions& options) : options_(options) {}

  void print(const BenchResult& result) override {
    std::string text;
    if (columns_.empty()) {
      columns_ = columns_of(options_, result);
      text = header();
    }
    text += "|";
    for (const Column& column : columns_) text += fmt::format(" {} |", padded(column.text(result), column));
    write_output(text + "\n");
    if (result.backend != "cpu") gpu_ = gpu_text(result);
    if (result.noisy()) noisy_ += (noisy_.empty() ? "" : ", ") + result.test.name();
  }

  void finish() override {
    if (columns_.empty()) return;
    std::string text = fmt::format("\nbuild: {} ({})\n{}", build_commit(), build_number(), gpu_);
    if (!noisy_.empty())
      text += fmt::format("noisy (spread above {:.0f} %): {}\n", 100 * kNoisySpread, noisy_);
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

  const BenchOptions options_;
  std::vector<Column> columns_;  // empty before the first result
  std::string gpu_;              // what is to be said of it
  std::string noisy_;            // names of such tests
};

}  // namespace

std::unique_ptr<BenchPrinter> make_markdown_printer(const BenchOptions& options) {
  return std::make_unique<MarkdownPrinter>(options);
}

}  // namespace minfer::cli
