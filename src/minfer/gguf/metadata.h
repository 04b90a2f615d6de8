// Checked access to metadata: every value has a range, nothing has a silent default.
//
// get_* wants the key and throws where it is missing; find_* gives nothing where it is missing. Both throw
// InvalidFileError, naming file, key, value and what is allowed, for a value of another type or out of range.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "gguf/reader.h"

namespace minfer::gguf {

// Integers of any width in the file, min <= value <= max.
std::uint32_t get_u32(const Reader& reader, std::string_view key, std::uint32_t min, std::uint32_t max);
std::optional<std::uint32_t> find_u32(const Reader& reader, std::string_view key, std::uint32_t min,
                                      std::uint32_t max);

// f32 or f64 in the file, finite, min <= value <= max.
float get_f32(const Reader& reader, std::string_view key, float min, float max);
std::optional<float> find_f32(const Reader& reader, std::string_view key, float min, float max);

bool get_bool(const Reader& reader, std::string_view key);
std::optional<bool> find_bool(const Reader& reader, std::string_view key);

// Views into the file; not necessarily UTF-8.
std::string_view get_string(const Reader& reader, std::string_view key);
std::optional<std::string_view> find_string(const Reader& reader, std::string_view key);

// Arrays. Integers of any width whose values fit; floats finite.
std::vector<std::string_view> get_strings(const Reader& reader, std::string_view key);
std::optional<std::vector<std::string_view>> find_strings(const Reader& reader, std::string_view key);
std::vector<std::int32_t> get_i32s(const Reader& reader, std::string_view key,
                                   std::int32_t min = std::numeric_limits<std::int32_t>::min(),
                                   std::int32_t max = std::numeric_limits<std::int32_t>::max());
std::optional<std::vector<std::int32_t>> find_i32s(
    const Reader& reader, std::string_view key, std::int32_t min = std::numeric_limits<std::int32_t>::min(),
    std::int32_t max = std::numeric_limits<std::int32_t>::max());
std::vector<float> get_f32s(const Reader& reader, std::string_view key);
std::optional<std::vector<float>> find_f32s(const Reader& reader, std::string_view key);

// Throws InvalidFileError "FILE: key KEY: reason", for checks that only the caller can make (a head count
// that is not a divisor, a token id beyond the vocabulary).
[[noreturn]] void throw_invalid_key(const Reader& reader, std::string_view key, std::string_view reason);

}  // namespace minfer::gguf
