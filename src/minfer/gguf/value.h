// A metadata value of a GGUF file. Values are views into the file's bytes: copying one is cheap and nothing
// is decoded before it is asked for. Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace minfer::gguf {

class Cursor;

// Type ids as they stand in the file.
enum class GgufType : std::uint32_t {
  kU8 = 0,
  kI8 = 1,
  kU16 = 2,
  kI16 = 3,
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10,
  kI64 = 11,
  kF64 = 12,
};

std::string_view gguf_type_name(GgufType type) noexcept;  // "u32", "string"; "unknown" for other ids
// Bytes of a value of a number type or bool; 0 for strings, arrays and ids that do not exist.
std::size_t gguf_type_bytes(GgufType type) noexcept;

// The strings of an array, in order: for (std::string_view s : value.strings()). The bytes are as in the file
// and need not be UTF-8.
class StringRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view*;
    using reference = std::string_view;

    Iterator() = default;
    Iterator(const std::byte* data, std::uint64_t left) : data_(data), left_(left) {}
    std::string_view operator*() const;
    Iterator& operator++();
    Iterator operator++(int);
    bool operator==(const Iterator& other) const { return left_ == other.left_; }

   private:
    const std::byte* data_ = nullptr;
    std::uint64_t left_ = 0;
  };

  StringRange(const std::byte* data, std::uint64_t size) : data_(data), size_(size) {}
  Iterator begin() const { return {data_, size_}; }
  Iterator end() const { return {nullptr, 0}; }
  std::uint64_t size() const { return size_; }

 private:
  const std::byte* data_;
  std::uint64_t size_;
};

class Value {
 public:
  GgufType type() const { return type_; }
  bool is_array() const { return type_ == GgufType::kArray; }
  bool is_integer() const;
  bool is_float() const { return type_ == GgufType::kF32 || type_ == GgufType::kF64; }

  // The value where the type allows it without loss: any integer type for the two integers, any float type
  // for as_f64, nothing otherwise. Floats may be NaN or infinite.
  std::optional<bool> as_bool() const;
  std::optional<std::uint64_t> as_u64() const;
  std::optional<std::int64_t> as_i64() const;
  std::optional<double> as_f64() const;
  std::optional<std::string_view> as_string() const;

  // Arrays. REQUIRES is_array(); an array's elements are never arrays.
  GgufType element_type() const;
  std::uint64_t size() const;
  // REQUIRES: the elements are not strings (those have strings()), i < size().
  Value element(std::uint64_t i) const;
  // REQUIRES: element_type() == kString.
  StringRange strings() const;

  // The value as it stands in the file, without the type, and for arrays without element type and count; a
  // scalar string without its length.
  std::span<const std::byte> payload() const { return {data_, bytes_}; }

 private:
  friend Value parse_value(Cursor& cursor);
  Value(GgufType type, GgufType element_type, std::uint64_t size, std::span<const std::byte> payload)
      : type_(type),
        element_type_(element_type),
        size_(size),
        data_(payload.data()),
        bytes_(payload.size()) {}

  GgufType type_;
  GgufType element_type_;  // arrays only
  std::uint64_t size_;     // arrays only
  const std::byte* data_;
  std::size_t bytes_;
};

// Reads a type id and a value of that type, everything checked. Throws InvalidFileError.
Value parse_value(Cursor& cursor);

}  // namespace minfer::gguf
