// What the commands that write models share: checks of the output path before any work, and tensors made by many
// threads in pieces, so that a model of any size needs little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/thread_pool.h"
#include "gguf/writer.h"
#include "quant/mix.h"
#include "tensor/view.h"

namespace minfer::cli {

// Throws InvalidRequestError where the folder does not exist, where the file exists and force is not set, or where
// its file system has less than `bytes` free.
void check_output_path(const std::filesystem::path& path, bool force, std::uint64_t bytes);

// The file type of that name. Throws UsageError with the list of names.
const FileType& parse_file_type(std::string_view name);

class TensorOutput {
 public:
  // Writes `bytes` of rows starting at first_row; called by many threads at once, for disjoint rows.
  using FillRows = FunctionRef<void(std::int64_t first_row, std::int64_t n_rows, std::byte* bytes)>;

  // total_bytes: of all tensors that will be written, for the progress shown on a terminal. The references must
  // outlive this object.
  TensorOutput(gguf::Writer& writer, ThreadPool& pool, std::uint64_t total_bytes, std::stop_token stop);

  // The writer's next tensor. Throws what `fill` throws, CancelledError after a request to stop, and Error for a
  // failing disk.
  void write(std::string_view name, const TensorDesc& desc, FillRows fill);

 private:
  gguf::Writer& writer_;
  ThreadPool& pool_;
  std::stop_token stop_;
  std::uint64_t total_bytes_;
  std::uint64_t written_ = 0;
  std::vector<std::byte> buffer_;
};

// Logs which types were used in place of those that do not fit, a line for each pair of types.
void log_fallbacks(std::span<const TypeChoice> choices);

std::string describe_bytes(std::uint64_t bytes);  // "397.3 MB"
// "24 x q4_K, 5 x q6_K": how many tensors have which type, the most frequent first.
std::string describe_types(std::span<const DType> types);

}  // namespace minfer::cli
