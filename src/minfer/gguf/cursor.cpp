#include "gguf/cursor.h"

#include <fmt/format.h>

#include <cstring>

#include "base/printable.h"
#include "minfer/error.h"

namespace minfer::gguf {
namespace {

constexpr std::size_t kMaxNameInMessage = 200;

template <typename T>
T load(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

void throw_invalid_file(std::string_view file_name, std::string_view kind, std::string_view name,
                        std::uint64_t offset, std::string_view reason) {
  throw InvalidFileError(fmt::format("{}: {}{}{}: offset {}: {}", printable(file_name), kind,
                                     name.empty() ? "" : " ", printable(name, kMaxNameInMessage), offset,
                                     reason));
}

void Cursor::fail(std::uint64_t offset, std::string_view reason) const {
  throw_invalid_file(file_name_, subject_kind_, subject_name_, offset, reason);
}

std::span<const std::byte> Cursor::take(std::uint64_t bytes, std::string_view what) {
  if (bytes > left())
    fail(offset_, fmt::format("{} needs {} bytes, but the file of {} bytes has only {} left", what, bytes,
                              file_size(), left()));
  if (bytes > kMaxHeaderBytes - offset_)
    fail(offset_, fmt::format("{} of {} bytes makes the header longer than the limit of {} bytes", what,
                              bytes, kMaxHeaderBytes));
  const std::span<const std::byte> taken = file_.subspan(offset_, bytes);
  offset_ += bytes;
  return taken;
}

std::uint8_t Cursor::take_u8(std::string_view what) { return load<std::uint8_t>(take(1, what)); }
std::uint32_t Cursor::take_u32(std::string_view what) { return load<std::uint32_t>(take(4, what)); }
std::uint64_t Cursor::take_u64(std::string_view what) { return load<std::uint64_t>(take(8, what)); }

std::string_view Cursor::take_string(std::string_view what) {
  const std::uint64_t length = take_u64(what);
  const std::span<const std::byte> bytes = take(length, what);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view Cursor::take_name(std::string_view what, std::uint64_t max_bytes) {
  const std::uint64_t start = offset_;
  const std::string_view name = take_string(what);
  if (name.empty() || name.size() > max_bytes)
    fail(start, fmt::format("{} of {} bytes, not 1..{}", what, name.size(), max_bytes));
  if (name.find('\0') != std::string_view::npos)
    fail(start, fmt::format("{} '{}' contains a NUL", what, printable(name, kMaxNameInMessage)));
  return name;
}

}  // namespace minfer::gguf
