#include "cli/bench/baseline.h"

#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "cli/files.h"
#include "minfer/error.h"

namespace minfer::cli {
namespace {

using Json = nlohmann::json;

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{64} << 20;
constexpr std::size_t kMaxReasonBytes = 200;  // the JSON library quotes what it has read so far

int count_of(const Json& json, const char* key) {
  const auto value = json.at(key).get<std::int64_t>();
  if (value < 0 || value > std::numeric_limits<int>::max())
    throw InvalidFileError(fmt::format("{} is {}", key, value));
  return static_cast<int>(value);
}

// The part of a result that identifies it.
BenchResult identity_of(const Json& json) {
  BenchResult result;
  result.model.type = json.at("model_type").get<std::string>();
  result.model.tensor_bytes = json.at("model_size").get<std::uint64_t>();
  BenchTest& test = result.test;
  test.n_prompt = count_of(json, "n_prompt");
  test.n_gen = count_of(json, "n_gen");
  test.n_depth = count_of(json, "n_depth");
  test.n_batch = count_of(json, "n_batch");
  test.n_ubatch = count_of(json, "n_ubatch");
  test.n_threads = count_of(json, "n_threads");
  test.kv_type = json.at("type_k").get<std::string>();
  return result;
}

std::vector<double> rates_of(const Json& json) {
  auto rates = json.at("samples_ts").get<std::vector<double>>();
  if (rates.empty()) throw InvalidFileError("samples_ts is empty");
  for (const double rate : rates)
    if (!std::isfinite(rate) || rate <= 0) throw InvalidFileError(fmt::format("samples_ts has {}", rate));
  return rates;
}

}  // namespace

std::string bench_row_identity(const BenchResult& result) {
  const BenchTest& test = result.test;
  return fmt::format("{}, {} bytes, {}, {} thread{}, batch {} of {}, KV {}", result.model.type,
                     result.model.tensor_bytes, test.name(), test.n_threads, test.n_threads == 1 ? "" : "s",
                     test.n_batch, test.n_ubatch, test.kv_type);
}

Baseline Baseline::parse(std::string_view text, const std::string& name) {
  Baseline baseline;
  baseline.name_ = name;
  for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      const Json json = Json::parse(line);
      const std::vector<double> rates = rates_of(json);
      std::vector<double>& all = baseline.rows_[bench_row_identity(identity_of(json))].rates;
      all.insert(all.end(), rates.begin(), rates.end());
    } catch (const std::exception& error) {  // of the JSON library, or of the checks above
      throw InvalidFileError(fmt::format("{}: line {} is no result of bench -o jsonl: {}", name, number,
                                         printable(error.what(), kMaxReasonBytes)));
    }
  }
  if (baseline.rows_.empty()) throw InvalidFileError(fmt::format("{}: no result of bench in it", name));
  return baseline;
}

Baseline Baseline::read(const std::string& path) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::character || kind == std::filesystem::file_type::block)
    throw InvalidRequestError(fmt::format("{} is a device", path));  // which may have no end
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error && bytes > kMaxFileBytes)
    throw InvalidRequestError(
        fmt::format("{} has {} bytes; results of bench take at most {}", path, bytes, kMaxFileBytes));
  return parse(read_text_file(path), path);
}

const std::vector<double>* Baseline::find(const BenchResult& result) {
  const auto found = rows_.find(bench_row_identity(result));
  if (found == rows_.end()) return nullptr;
  found->second.found = true;
  return &found->second.rates;
}

std::vector<std::string> Baseline::unmatched() const {
  std::vector<std::string> names;
  for (const auto& [identity, row] : rows_)
    if (!row.found) names.push_back(identity);
  return names;
}

}  // namespace minfer::cli
