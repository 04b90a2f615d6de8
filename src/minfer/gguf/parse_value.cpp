#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gguf/cursor.h"
#include "gguf/value.h"

namespace minfer::gguf {
namespace {

GgufType take_type(Cursor& cursor, std::string_view what) {
  const std::uint64_t start = cursor.offset();
  const std::uint32_t id = cursor.take_u32(what);
  if (id > static_cast<std::uint32_t>(GgufType::kF64))
    cursor.fail(start, fmt::format("unknown {} {}", what, id));
  return static_cast<GgufType>(id);
}

void check_bools(const Cursor& cursor, std::uint64_t start, std::span<const std::byte> bytes) {
  const auto bad = std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return b > std::byte{1}; });
  if (bad == bytes.end()) return;
  cursor.fail(start + static_cast<std::uint64_t>(bad - bytes.begin()),
              fmt::format("a bool is {}, not 0 or 1", std::to_integer<int>(*bad)));
}

// Numbers and bools, count of them.
std::span<const std::byte> take_plain(Cursor& cursor, GgufType type, std::uint64_t count) {
  const std::uint64_t start = cursor.offset();
  const std::size_t width = gguf_type_bytes(type);
  if (count > cursor.left() / width)
    cursor.fail(start, fmt::format("{} values of type {} need more than the {} bytes left of the file", count,
                                   gguf_type_name(type), cursor.left()));
  const std::span<const std::byte> bytes = cursor.take(count * width, "value");
  if (type == GgufType::kBool) check_bools(cursor, start, bytes);
  return bytes;
}

std::span<const std::byte> take_strings(Cursor& cursor, std::uint64_t count) {
  const std::uint64_t start = cursor.offset();
  if (count > cursor.left() / sizeof(std::uint64_t))
    cursor.fail(start,
                fmt::format("{} strings need more than the {} bytes left of the file", count, cursor.left()));
  std::size_t bytes = 0;
  const std::byte* data = nullptr;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view text = cursor.take_string("string of an array");
    if (i == 0) data = reinterpret_cast<const std::byte*>(text.data()) - sizeof(std::uint64_t);
    bytes += sizeof(std::uint64_t) + text.size();
  }
  return {data, bytes};
}

}  // namespace

Value parse_value(Cursor& cursor) {
  const GgufType type = take_type(cursor, "value type");
  if (type == GgufType::kString) {
    const std::string_view text = cursor.take_string("string value");
    return {type, type, 0, std::as_bytes(std::span(text))};
  }
  if (type != GgufType::kArray) return {type, type, 0, take_plain(cursor, type, 1)};

  const std::uint64_t start = cursor.offset();
  const GgufType element = take_type(cursor, "array element type");
  if (element == GgufType::kArray) cursor.fail(start, "arrays of arrays are not supported");
  const std::uint64_t count = cursor.take_u64("array length");
  return {type, element, count,
          element == GgufType::kString ? take_strings(cursor, count) : take_plain(cursor, element, count)};
}

}  // namespace minfer::gguf
