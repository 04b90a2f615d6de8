// Builds GGUF files byte by byte, right or wrong ones: independent of the writer, so that the reader's tests do not
// depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace minfer::test {

// A little-endian byte string.
class Bytes {
 public:
  template <typename T>
  Bytes& put(T value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Bytes& u8(std::uint8_t value) { return put(value); }
  Bytes& u32(std::uint32_t value) { return put(value); }
  Bytes& u64(std::uint64_t value) { return put(value); }
  Bytes& f32(float value) { return put(value); }
  Bytes& raw(std::string_view text) {
    text_ += text;
    return *this;
  }
  Bytes& string(std::string_view text) { return u64(text.size()).raw(text); }
  Bytes& zeros(std::size_t count) {
    text_.append(count, '\0');
    return *this;
  }

  std::size_t size() const { return text_.size(); }
  const std::string& text() const { return text_; }
  std::vector<std::byte> vector() const;

 private:
  std::string text_;
};

// Type ids of the format, spelled out here again.
enum : std::uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kString, kArray, kU64, kI64, kF64 };

class FileBuilder {
 public:
  std::string magic = "GGUF";
  std::uint32_t version = 3;
  std::optional<std::uint64_t> tensor_count, key_count;  // the true counts where not set
  std::uint64_t alignment = 32;                          // of the data's start; no key is written for it

  FileBuilder& key(std::string_view name, std::uint32_t type, const Bytes& value);
  FileBuilder& u32(std::string_view name, std::uint32_t value) { return key(name, kU32, Bytes().u32(value)); }
  FileBuilder& string(std::string_view name, std::string_view value) {
    return key(name, kString, Bytes().string(value));
  }
  // Innermost dimension first; offset relative to the data.
  FileBuilder& tensor(std::string_view name, const std::vector<std::uint64_t>& dims, std::uint32_t type = 0,
                      std::uint64_t offset = 0);

  std::vector<std::byte> header() const;  // without the padding before the data
  std::vector<std::byte> build(std::size_t data_bytes) const;

 private:
  std::uint64_t n_keys_ = 0, n_tensors_ = 0;
  Bytes keys_, tensors_;
};

}  // namespace minfer::test
