// Reads the header of a GGUF file front to back. Every read is checked against the bytes that are left, and
// every complaint names the file, what was being read, and the offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace minfer::gguf {

class Cursor {
 public:
  // The header of the largest known vocabulary takes 20 MB. The bound keeps the time and memory that a
  // hostile file can cost small, whatever its size.
  static constexpr std::uint64_t kMaxHeaderBytes = 64 << 20;

  // Both must outlive the cursor.
  Cursor(std::span<const std::byte> file, std::string_view file_name) : file_(file), file_name_(file_name) {}

  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return file_.size() - offset_; }
  std::uint64_t file_size() const { return file_.size(); }

  // What the next reads are about, for messages: set_subject("key", "general.name") gives `key general.name`.
  void set_subject(std::string_view kind, std::string_view name) {
    subject_kind_ = kind, subject_name_ = name;
  }

  std::span<const std::byte> take(std::uint64_t bytes, std::string_view what);
  std::uint8_t take_u8(std::string_view what);
  std::uint32_t take_u32(std::string_view what);
  std::uint64_t take_u64(std::string_view what);
  // A length (u64) and that many bytes.
  std::string_view take_string(std::string_view what);
  // A string of 1..max_bytes bytes without a NUL.
  std::string_view take_name(std::string_view what, std::uint64_t max_bytes);

  // Throws InvalidFileError "FILE: SUBJECT: offset N: reason".
  [[noreturn]] void fail(std::uint64_t offset, std::string_view reason) const;

 private:
  std::span<const std::byte> file_;
  std::string_view file_name_;
  std::string_view subject_kind_ = "header";
  std::string_view subject_name_;
  std::uint64_t offset_ = 0;
};

// The form of all complaints about a file's content: "FILE: KIND NAME: offset N: reason", in one printable
// line.
[[noreturn]] void throw_invalid_file(std::string_view file_name, std::string_view kind, std::string_view name,
                                     std::uint64_t offset, std::string_view reason);

}  // namespace minfer::gguf
