#include "cli/model_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/output.h"
#include "minfer/error.h"

namespace minfer::cli {
namespace {

constexpr std::int64_t kPieceBytes = 32 << 20;

}  // namespace

void check_output_path(const std::filesystem::path& path, bool force, std::uint64_t bytes) {
  std::error_code error;
  const std::string name = printable(path.string());
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, error))
    throw InvalidRequestError(
        fmt::format("cannot write {}: there is no folder {}", name, printable(folder.string())));
  if (std::filesystem::is_directory(path, error))
    throw InvalidRequestError(fmt::format("cannot write {}: it is a folder", name));
  if (!force && std::filesystem::exists(path, error))
    throw InvalidRequestError(fmt::format("{} exists already (--force replaces it)", name));
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (!error && space.available < bytes)
    throw InvalidRequestError(
        fmt::format("cannot write {}: it needs {} bytes, and {} are free", name, bytes, space.available));
}

const FileType& parse_file_type(std::string_view name) {
  const FileType* file_type = find_file_type(name);
  if (!file_type)
    throw UsageError(fmt::format("there is no type \"{}\"; types: {}", name, file_type_names()));
  return *file_type;
}

TensorOutput::TensorOutput(gguf::Writer& writer, ThreadPool& pool, std::uint64_t total_bytes,
                           std::stop_token stop)
    : writer_(writer), pool_(pool), stop_(std::move(stop)), total_bytes_(total_bytes) {}

void TensorOutput::write(std::string_view name, const TensorDesc& desc, FillRows fill) {
  const auto bytes_per_row = static_cast<std::int64_t>(row_bytes(desc.dtype, desc.shape.cols()));
  const std::int64_t piece = std::max<std::int64_t>(1, kPieceBytes / bytes_per_row);
  for (std::int64_t first = 0; first < desc.shape.rows(); first += piece) {
    if (stop_.stop_requested()) throw CancelledError("interrupted");
    show_progress(fmt::format("{:3} %  {}", written_ * 100 / std::max<std::uint64_t>(1, total_bytes_), name));
    const std::int64_t n_rows = std::min(piece, desc.shape.rows() - first);
    buffer_.resize(static_cast<std::size_t>(n_rows * bytes_per_row));
    pool_.run([&](int worker, int n_workers) {
      const Range rows = split_range(n_rows, worker, n_workers);
      if (!rows.empty())
        fill(first + rows.begin, rows.end - rows.begin, buffer_.data() + rows.begin * bytes_per_row);
    });
    writer_.write_part(name, buffer_);
    written_ += buffer_.size();
  }
  show_progress("");
}

void log_fallbacks(std::span<const TypeChoice> choices) {
  std::map<std::pair<DType, DType>, int> counts;
  for (const TypeChoice& choice : choices)
    if (choice.type != choice.wanted) ++counts[{choice.wanted, choice.type}];
  for (const auto& [types, count] : counts)
    log_info("{} instead of {} for {} with rows that are no multiple of {} values", dtype_name(types.second),
             dtype_name(types.first), count == 1 ? "1 tensor" : fmt::format("{} tensors", count),
             dtype_info(types.first).block_values);
}

std::string describe_bytes(std::uint64_t bytes) {
  const auto n = static_cast<double>(bytes);
  return n < 1e6 ? fmt::format("{:.1f} kB", n / 1e3) : fmt::format("{:.1f} MB", n / 1e6);
}

std::string describe_types(std::span<const DType> types) {
  std::vector<std::pair<int, DType>> counts;
  for (const DType type : types) {
    auto found =
        std::find_if(counts.begin(), counts.end(), [&](const auto& count) { return count.second == type; });
    if (found == counts.end()) found = counts.insert(counts.end(), {0, type});
    ++found->first;
  }
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [count, type] : counts)
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", count, dtype_name(type));
  return text;
}

}  // namespace minfer::cli
