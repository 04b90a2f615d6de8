#include "gguf/metadata.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/printable.h"
#include "minfer/error.h"

namespace minfer::gguf {
namespace {

// The value of a key of this reader, with its name for messages.
struct Field {
  const Reader& reader;
  std::string_view key;
  const Value& value;

  [[noreturn]] void fail(std::string_view reason) const { throw_invalid_key(reader, key, reason); }

  [[noreturn]] void fail_type(std::string_view wanted) const {
    const std::string of =
        value.is_array() ? fmt::format(" of {}", gguf_type_name(value.element_type())) : "";
    fail(fmt::format("a value of type {}{}, not {}", gguf_type_name(value.type()), of, wanted));
  }
};

template <typename T>
T in_range(const Field& field, T value, T min, T max) {
  if (!(value >= min && value <= max)) field.fail(fmt::format("{} is not in {}..{}", value, min, max));
  return value;
}

// A u64 beyond the range of i64 is beyond every range that is asked for as well.
std::int64_t integer(const Field& field, const Value& value, std::int64_t min, std::int64_t max) {
  const std::optional<std::int64_t> number = value.as_i64();
  if (!number && value.is_integer())
    field.fail(fmt::format("{} is not in {}..{}", *value.as_u64(), min, max));
  if (!number) field.fail_type("an integer");
  return in_range(field, *number, min, max);
}

float finite_float(const Field& field, const Value& value) {
  const std::optional<double> number = value.as_f64();
  if (!number) field.fail_type("a float");
  const auto narrow = static_cast<float>(*number);
  if (!std::isfinite(narrow)) field.fail(fmt::format("{} is not a finite float", *number));
  return narrow;
}

std::uint32_t decode_u32(const Field& field, std::uint32_t min, std::uint32_t max) {
  return static_cast<std::uint32_t>(integer(field, field.value, min, max));
}

float decode_f32(const Field& field, float min, float max) {
  return in_range(field, finite_float(field, field.value), min, max);
}

bool decode_bool(const Field& field) {
  const std::optional<bool> value = field.value.as_bool();
  if (!value) field.fail_type("bool");
  return *value;
}

std::string_view decode_string(const Field& field) {
  const std::optional<std::string_view> value = field.value.as_string();
  if (!value) field.fail_type("string");
  return *value;
}

std::vector<std::string_view> decode_strings(const Field& field) {
  if (!field.value.is_array() || field.value.element_type() != GgufType::kString)
    field.fail_type("an array of strings");
  std::vector<std::string_view> strings;
  strings.reserve(field.value.size());
  for (std::string_view text : field.value.strings()) strings.push_back(text);
  return strings;
}

// Elements of an array of numbers, each decoded by decode_one(element).
template <typename T, typename DecodeOne>
std::vector<T> decode_numbers(const Field& field, std::string_view wanted, DecodeOne decode_one) {
  if (!field.value.is_array() || gguf_type_bytes(field.value.element_type()) == 0) field.fail_type(wanted);
  std::vector<T> numbers;
  numbers.reserve(field.value.size());
  for (std::uint64_t i = 0; i < field.value.size(); ++i)
    numbers.push_back(decode_one(field.value.element(i)));
  return numbers;
}

std::vector<std::int32_t> decode_i32s(const Field& field, std::int32_t min, std::int32_t max) {
  return decode_numbers<std::int32_t>(field, "an array of integers", [&](const Value& element) {
    return static_cast<std::int32_t>(integer(field, element, min, max));
  });
}

std::vector<float> decode_f32s(const Field& field) {
  return decode_numbers<float>(field, "an array of floats",
                               [&](const Value& element) { return finite_float(field, element); });
}

// decode(field, args...) where the key exists.
template <typename Decode, typename... Args>
auto find_with(const Reader& reader, std::string_view key, Decode decode, Args... args)
    -> std::optional<decltype(decode(std::declval<Field>(), args...))> {
  const Value* value = reader.find(key);
  if (value == nullptr) return std::nullopt;
  return decode(Field{reader, key, *value}, args...);
}

template <typename T>
T required(const Reader& reader, std::string_view key, std::optional<T> value) {
  if (!value) throw_invalid_key(reader, key, "the key is missing");
  return *std::move(value);
}

}  // namespace

void throw_invalid_key(const Reader& reader, std::string_view key, std::string_view reason) {
  throw InvalidFileError(
      fmt::format("{}: key {}: {}", printable(reader.file_name()), printable(key), reason));
}

std::optional<std::uint32_t> find_u32(const Reader& reader, std::string_view key, std::uint32_t min,
                                      std::uint32_t max) {
  return find_with(reader, key, decode_u32, min, max);
}
std::uint32_t get_u32(const Reader& reader, std::string_view key, std::uint32_t min, std::uint32_t max) {
  return required(reader, key, find_u32(reader, key, min, max));
}

std::optional<float> find_f32(const Reader& reader, std::string_view key, float min, float max) {
  return find_with(reader, key, decode_f32, min, max);
}
float get_f32(const Reader& reader, std::string_view key, float min, float max) {
  return required(reader, key, find_f32(reader, key, min, max));
}

std::optional<bool> find_bool(const Reader& reader, std::string_view key) {
  return find_with(reader, key, decode_bool);
}
bool get_bool(const Reader& reader, std::string_view key) {
  return required(reader, key, find_bool(reader, key));
}

std::optional<std::string_view> find_string(const Reader& reader, std::string_view key) {
  return find_with(reader, key, decode_string);
}
std::string_view get_string(const Reader& reader, std::string_view key) {
  return required(reader, key, find_string(reader, key));
}

std::optional<std::vector<std::string_view>> find_strings(const Reader& reader, std::string_view key) {
  return find_with(reader, key, decode_strings);
}
std::vector<std::string_view> get_strings(const Reader& reader, std::string_view key) {
  return required(reader, key, find_strings(reader, key));
}

std::optional<std::vector<std::int32_t>> find_i32s(const Reader& reader, std::string_view key,
                                                   std::int32_t min, std::int32_t max) {
  return find_with(reader, key, decode_i32s, min, max);
}
std::vector<std::int32_t> get_i32s(const Reader& reader, std::string_view key, std::int32_t min,
                                   std::int32_t max) {
  return required(reader, key, find_i32s(reader, key, min, max));
}

std::optional<std::vector<float>> find_f32s(const Reader& reader, std::string_view key) {
  return find_with(reader, key, decode_f32s);
}
std::vector<float> get_f32s(const Reader& reader, std::string_view key) {
  return required(reader, key, find_f32s(reader, key));
}

}  // namespace minfer::gguf
