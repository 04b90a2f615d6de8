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

std::vector<Column> columns_of(const BenchOptions& options) {
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
  if (options.kv_types != std::vector<std::string>{"f32"})
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

  std::vector<Column> columns_;
  bool started_ = false;
  std::string noisy_;  // names of such tests
};

}  // namespace

std::unique_ptr<BenchPrinter> make_markdown_printer(const BenchOptions& options) {
  return std::make_unique<MarkdownPrinter>(options);
}

}  // namespace minfer::cli
