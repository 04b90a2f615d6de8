// Reads GGUF files, versions 2 and 3, little-endian: a pure function of the file's bytes.
// Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md; what is refused: docs/formats.md.
//
// The file is not trusted. parse() checks every count, length, dimension and offset before it is used, and
// that every tensor's data lies inside the file, without reading a byte of tensor data. What a Reader hands
// out is therefore safe to read as it says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/name_index.h"
#include "gguf/value.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"
#include "tensor/view.h"

namespace minfer::gguf {

struct MetadataEntry {
  std::string_view key;
  Value value;
};

struct TensorInfo {
  std::string_view name;
  std::uint32_t gguf_type = 0;
  std::optional<DType> dtype;  // nothing for the few types that can be listed but have no DType
  Shape shape;                 // every dimension >= 1; cols() is a multiple of the type's block
  std::uint64_t offset = 0;    // in the file; a multiple of alignment()
  std::uint64_t bytes = 0;
};

class Reader {
 public:
  static constexpr std::uint64_t kMaxMetadataKeys = 1 << 16;
  static constexpr std::uint64_t kMaxTensors = 1 << 18;
  static constexpr std::uint32_t kDefaultAlignment = 32;
  static constexpr std::uint64_t kMinAlignment = 8;
  static constexpr std::uint64_t kMaxAlignment = 1 << 20;

  // The bytes must outlive the reader and everything it hands out. file_name is for messages. Throws
  // InvalidFileError "FILE: key or tensor ...: offset N: reason", and UnsupportedError for a shard of a model
  // that is split over several files.
  static Reader parse(std::span<const std::byte> file, std::string_view file_name);

  std::uint32_t version() const { return version_; }
  std::uint64_t alignment() const { return alignment_; }
  std::uint64_t data_offset() const { return data_offset_; }  // where tensor data starts
  std::uint64_t file_bytes() const { return file_.size(); }
  const std::string& file_name() const { return file_name_; }

  // Both in the order of the file; names are unique.
  std::span<const MetadataEntry> metadata() const { return metadata_; }
  std::span<const TensorInfo> tensors() const { return tensors_; }
  // Null where there is none.
  const Value* find(std::string_view key) const;
  const TensorInfo* find_tensor(std::string_view name) const;

  // The tensor's bytes in the file. REQUIRES: info is one of tensors(). Throws UnsupportedError for a tensor
  // without a DType.
  TensorView view(const TensorInfo& info) const;

 private:
  Reader() = default;
  void parse_keys(Cursor& cursor, std::uint64_t count);
  void parse_tensors(Cursor& cursor, std::uint64_t count);

  std::span<const std::byte> file_;
  std::string file_name_;
  std::uint32_t version_ = 0;
  std::uint64_t alignment_ = kDefaultAlignment;
  std::uint64_t data_offset_ = 0;
  std::vector<MetadataEntry> metadata_;
  std::vector<TensorInfo> tensors_;
  NameIndex keys_;
  NameIndex tensor_names_;
};

}  // namespace minfer::gguf
