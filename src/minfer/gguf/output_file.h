// A file that appears under its name only when it is complete. Until then the bytes go to a temporary file beside
// it, which is removed when the work fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace minfer::gguf {

class OutputFile {
 public:
  // Creates PATH.tmp-PID. Throws InvalidRequestError where that is not possible.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();  // removes the temporary file unless commit() was reached
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Both throw Error naming the file and the system's reason (disk full, ...).
  void write(std::span<const std::byte> bytes);
  void commit();  // closes and renames, replacing an older file of that name

  std::uint64_t size() const { return size_; }  // bytes written so far

 private:
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace minfer::gguf
