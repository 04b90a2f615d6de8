// Any bytes either parse or are refused with an exception of minfer/error.h; what parses can be read as the reader's
// contract says: every metadata value through every getter, and the data of every tensor.
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.h"
#include "gguf/metadata.h"
#include "gguf/reader.h"
#include "minfer/error.h"

namespace minfer {
namespace {

// Keeps reads from being optimized away.
volatile std::uint64_t sink;

void touch(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::byte b : bytes) sum += std::to_integer<std::uint64_t>(b);
  sink = sum;
}

void touch(std::string_view text) { touch(std::as_bytes(std::span(text))); }

void walk_scalar(const gguf::Value& value) {
  sink = value.as_bool().value_or(false);
  sink = value.as_u64().value_or(0);
  sink = static_cast<std::uint64_t>(value.as_i64().value_or(0));
  sink = value.as_f64().has_value();
  touch(value.as_string().value_or(""));
}

void walk(const gguf::Value& value) {
  touch(value.payload());
  if (!value.is_array()) return walk_scalar(value);
  if (value.element_type() == gguf::GgufType::kString) {
    std::uint64_t strings = 0;
    for (std::string_view text : value.strings()) touch(text), ++strings;
    MINFER_CHECK(strings == value.size());
    return;
  }
  for (std::uint64_t i = 0; i < value.size(); ++i) walk_scalar(value.element(i));
}

// A getter either gives a value or says why not.
template <typename Getter>
void try_getter(Getter getter) {
  try {
    getter();
  } catch (const InvalidFileError&) {
  }
}

void use_getters(const gguf::Reader& reader, std::string_view key) {
  try_getter([&] { sink = gguf::get_u32(reader, key, 1, 1000); });
  try_getter([&] { sink = gguf::get_f32(reader, key, 0, 1) > 0; });
  try_getter([&] { sink = gguf::get_bool(reader, key); });
  try_getter([&] { touch(gguf::get_string(reader, key)); });
  try_getter([&] { sink = gguf::get_strings(reader, key).size(); });
  try_getter([&] { sink = gguf::get_i32s(reader, key).size(); });
  try_getter([&] { sink = gguf::get_f32s(reader, key).size(); });
}

void walk(const gguf::Reader& reader) {
  for (const auto& [key, value] : reader.metadata()) {
    MINFER_CHECK(reader.find(key) == &value);
    walk(value);
    use_getters(reader, key);
  }
  use_getters(reader, "no such key");
  for (const gguf::TensorInfo& info : reader.tensors()) {
    MINFER_CHECK(reader.find_tensor(info.name) == &info);
    MINFER_CHECK(info.offset % reader.alignment() == 0 && info.offset >= reader.data_offset());
    if (!info.dtype) continue;
    const TensorView view = reader.view(info);
    MINFER_CHECK(view.bytes == tensor_bytes(view.desc));
    touch({view.data, view.bytes});
  }
}

}  // namespace
}  // namespace minfer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    minfer::walk(minfer::gguf::Reader::parse(std::as_bytes(std::span(data, size)), "input"));
  } catch (const minfer::InvalidFileError&) {
  } catch (const minfer::UnsupportedError&) {
  }
  return 0;
}
