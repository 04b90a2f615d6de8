#include "cli/bench/printer.h"

#include <string>

#include "cli/bench/fields.h"
#include "cli/bench/markdown.h"
#include "cli/output.h"

namespace minfer::cli {
namespace {

using Json = nlohmann::ordered_json;

// Bytes that are not UTF-8 (in a path) come out as U+FFFD.
std::string dump(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

class JsonLinesPrinter final : public BenchPrinter {
 public:
  explicit JsonLinesPrinter(const BenchOptions& options) : options_(options) {}
  void print(const BenchResult& result) override {
    write_output(dump(bench_fields(result, options_)) + "\n");
  }

 private:
  const BenchOptions options_;
};

// One array, written as it grows.
class JsonPrinter final : public BenchPrinter {
 public:
  explicit JsonPrinter(const BenchOptions& options) : options_(options) {}
  void print(const BenchResult& result) override {
    write_output((empty_ ? "[\n" : ",\n") + dump(bench_fields(result, options_), 2));
    empty_ = false;
  }
  void finish() override { write_output(empty_ ? "[]\n" : "\n]\n"); }

 private:
  const BenchOptions options_;
  bool empty_ = true;
};

// Every value in quotes, as llama-bench writes it; a quote within is doubled (RFC 4180). No samples.
class CsvPrinter final : public BenchPrinter {
 public:
  explicit CsvPrinter(const BenchOptions& options) : options_(options) {}
  void print(const BenchResult& result) override {
    std::string titles, values;
    const Json fields = bench_fields(result, options_);
    for (const auto& [key, value] : fields.items()) {
      if (value.is_array()) continue;
      titles += (titles.empty() ? "" : ",") + key;
      values += (values.empty() ? "" : ",") + quoted(value);
    }
    write_output((started_ ? "" : titles + "\n") + values + "\n");
    started_ = true;
  }

 private:
  static std::string quoted(const Json& value) {
    const std::string text = value.is_null()     ? ""
                             : value.is_string() ? value.get<std::string>()
                                                 : dump(value);
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
    return result + "\"";
  }

  const BenchOptions options_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<BenchPrinter> make_bench_printer(const BenchOptions& options) {
  if (options.format == "jsonl") return std::make_unique<JsonLinesPrinter>(options);
  if (options.format == "json") return std::make_unique<JsonPrinter>(options);
  if (options.format == "csv") return std::make_unique<CsvPrinter>(options);
  return make_markdown_printer(options);
}

}  // namespace minfer::cli
