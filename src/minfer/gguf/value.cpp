#include "gguf/value.h"

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "base/check.h"

namespace minfer::gguf {

static_assert(std::endian::native == std::endian::little, "GGUF values are read as they lie in the file");

namespace {

struct TypeInfo {
  std::string_view name;
  std::size_t bytes;
};
// By type id.
constexpr std::array<TypeInfo, 13> kTypes = {{{"u8", 1},
                                              {"i8", 1},
                                              {"u16", 2},
                                              {"i16", 2},
                                              {"u32", 4},
                                              {"i32", 4},
                                              {"f32", 4},
                                              {"bool", 1},
                                              {"string", 0},
                                              {"array", 0},
                                              {"u64", 8},
                                              {"i64", 8},
                                              {"f64", 8}}};

// Values lie unaligned in the file.
template <typename T>
T load(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

}  // namespace

std::string_view gguf_type_name(GgufType type) noexcept {
  const auto id = static_cast<std::size_t>(type);
  return id < kTypes.size() ? kTypes[id].name : "unknown";
}

std::size_t gguf_type_bytes(GgufType type) noexcept {
  const auto id = static_cast<std::size_t>(type);
  return id < kTypes.size() ? kTypes[id].bytes : 0;
}

std::string_view StringRange::Iterator::operator*() const {
  const auto length = load<std::uint64_t>(data_);
  return {reinterpret_cast<const char*>(data_ + sizeof length), static_cast<std::size_t>(length)};
}

StringRange::Iterator& StringRange::Iterator::operator++() {
  data_ += sizeof(std::uint64_t) + load<std::uint64_t>(data_);
  --left_;
  return *this;
}

StringRange::Iterator StringRange::Iterator::operator++(int) {
  const Iterator before = *this;
  ++*this;
  return before;
}

bool Value::is_integer() const {
  return gguf_type_bytes(type_) != 0 && !is_float() && type_ != GgufType::kBool;
}

std::optional<bool> Value::as_bool() const {
  if (type_ != GgufType::kBool) return std::nullopt;
  return load<std::uint8_t>(data_) != 0;
}

std::optional<std::int64_t> Value::as_i64() const {
  switch (type_) {
    case GgufType::kU8:
      return load<std::uint8_t>(data_);
    case GgufType::kI8:
      return load<std::int8_t>(data_);
    case GgufType::kU16:
      return load<std::uint16_t>(data_);
    case GgufType::kI16:
      return load<std::int16_t>(data_);
    case GgufType::kU32:
      return load<std::uint32_t>(data_);
    case GgufType::kI32:
      return load<std::int32_t>(data_);
    case GgufType::kI64:
      return load<std::int64_t>(data_);
    case GgufType::kU64: {
      const auto value = load<std::uint64_t>(data_);
      if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
      return static_cast<std::int64_t>(value);
    }
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> Value::as_u64() const {
  if (type_ == GgufType::kU64) return load<std::uint64_t>(data_);
  const std::optional<std::int64_t> value = as_i64();
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::optional<double> Value::as_f64() const {
  if (type_ == GgufType::kF32) return load<float>(data_);
  if (type_ == GgufType::kF64) return load<double>(data_);
  return std::nullopt;
}

std::optional<std::string_view> Value::as_string() const {
  if (type_ != GgufType::kString) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(data_), bytes_);
}

GgufType Value::element_type() const {
  MINFER_CHECK(is_array(), "a value of type {}", gguf_type_name(type_));
  return element_type_;
}

std::uint64_t Value::size() const {
  MINFER_CHECK(is_array(), "a value of type {}", gguf_type_name(type_));
  return size_;
}

Value Value::element(std::uint64_t i) const {
  MINFER_CHECK(i < size() && element_type_ != GgufType::kString, "element {} of {} of type {}", i, size_,
               gguf_type_name(element_type_));
  const std::size_t bytes = gguf_type_bytes(element_type_);
  return {element_type_, element_type_, 0, {data_ + i * bytes, bytes}};
}

StringRange Value::strings() const {
  MINFER_CHECK(element_type() == GgufType::kString, "an array of {}", gguf_type_name(element_type_));
  return {data_, size_};
}

}  // namespace minfer::gguf
