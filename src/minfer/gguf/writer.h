// Writes GGUF files, version 3: first all metadata and tensor descriptions, then the tensors' data in the order of
// their descriptions, so that a model of any size needs the memory of one tensor (or of a part of one).
//
//   Writer writer("model.gguf");
//   writer.add_string("general.architecture", "qwen2");
//   writer.add_tensor("token_embd.weight", {DType::kF16, {64, 261}});
//   writer.write_tensor("token_embd.weight", bytes);
//   writer.finish();
//
// Nothing appears under the path before finish(); the temporary file beside it goes with the writer when finish()
// is not reached. Errors of the disk are Error; a key or tensor given twice, out of order or with bytes that do
// not match its description is a bug of the caller (InternalError).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/output_file.h"
#include "gguf/reader.h"
#include "tensor/view.h"

namespace minfer::gguf {

class Writer {
 public:
  // alignment: a power of two in Reader::kMinAlignment..kMaxAlignment. Written as general.alignment where it is
  // not the default. Throws InvalidRequestError where the file cannot be created.
  explicit Writer(const std::filesystem::path& path, std::uint32_t alignment = Reader::kDefaultAlignment);

  void add_u32(std::string_view key, std::uint32_t value);
  void add_i32(std::string_view key, std::int32_t value);
  void add_u64(std::string_view key, std::uint64_t value);
  void add_f32(std::string_view key, float value);
  void add_bool(std::string_view key, bool value);
  void add_string(std::string_view key, std::string_view value);
  void add_strings(std::string_view key, std::span<const std::string> values);
  void add_i32s(std::string_view key, std::span<const std::int32_t> values);
  void add_f32s(std::string_view key, std::span<const float> values);
  // A value of another file, as it is there. Not general.alignment: that is the constructor's.
  void add_value(std::string_view key, const Value& value);

  // Data follows in the order of these calls. REQUIRES: no data has been written yet.
  void add_tensor(std::string_view name, const TensorDesc& desc);

  // All bytes of the next tensor.
  void write_tensor(std::string_view name, std::span<const std::byte> data);
  // The next bytes of the next tensor: for tensors produced in pieces. It is complete with its last byte.
  void write_part(std::string_view name, std::span<const std::byte> data);

  // REQUIRES: every tensor is complete.
  void finish();

 private:
  struct PendingTensor {
    std::string name;
    TensorDesc desc;
    std::uint64_t bytes;
  };

  void begin_value(std::string_view key, GgufType type);
  void begin_array(std::string_view key, GgufType element_type, std::uint64_t size);
  void begin_data();
  void pad();

  OutputFile file_;
  std::uint32_t alignment_;
  std::string metadata_;  // encoded key-value pairs
  std::set<std::string, std::less<>> keys_;
  std::set<std::string, std::less<>> tensor_names_;
  std::vector<PendingTensor> tensors_;
  bool header_written_ = false;
  std::size_t next_tensor_ = 0;
  std::uint64_t part_bytes_ = 0;  // written of the next tensor
};

}  // namespace minfer::gguf
