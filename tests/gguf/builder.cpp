#include "gguf/builder.h"

namespace minfer::test {

std::vector<std::byte> Bytes::vector() const {
  std::vector<std::byte> bytes(text_.size());
  std::memcpy(bytes.data(), text_.data(), text_.size());
  return bytes;
}

FileBuilder& FileBuilder::key(std::string_view name, std::uint32_t type, const Bytes& value) {
  ++n_keys_;
  keys_.string(name).u32(type).raw(value.text());
  return *this;
}

FileBuilder& FileBuilder::tensor(std::string_view name, const std::vector<std::uint64_t>& dims,
                                 std::uint32_t type, std::uint64_t offset) {
  ++n_tensors_;
  tensors_.string(name).u32(static_cast<std::uint32_t>(dims.size()));
  for (std::uint64_t dim : dims) tensors_.u64(dim);
  tensors_.u32(type).u64(offset);
  return *this;
}

std::vector<std::byte> FileBuilder::header() const {
  return Bytes()
      .raw(magic)
      .u32(version)
      .u64(tensor_count.value_or(n_tensors_))
      .u64(key_count.value_or(n_keys_))
      .raw(keys_.text())
      .raw(tensors_.text())
      .vector();
}

std::vector<std::byte> FileBuilder::build(std::size_t data_bytes) const {
  std::vector<std::byte> bytes = header();
  while (bytes.size() % alignment != 0) bytes.push_back(std::byte{0});
  bytes.resize(bytes.size() + data_bytes);
  return bytes;
}

}  // namespace minfer::test
