#include "gguf/writer.h"

#include <bit>

#include "base/check.h"

namespace minfer::gguf {
namespace {

constexpr std::uint32_t kVersion = 3;

template <typename T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_string(std::string& out, std::string_view text) {
  append<std::uint64_t>(out, text.size());
  out += text;
}

void append_bytes(std::string& out, std::span<const std::byte> bytes) {
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::uint64_t round_up(std::uint64_t n, std::uint64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

}  // namespace

Writer::Writer(const std::filesystem::path& path, std::uint32_t alignment)
    : file_(path), alignment_(alignment) {
  MINFER_CHECK(std::has_single_bit(alignment) && alignment >= Reader::kMinAlignment &&
                   alignment <= Reader::kMaxAlignment,
               "alignment {}", alignment);
  if (alignment == Reader::kDefaultAlignment) return;
  begin_value("general.alignment", GgufType::kU32);
  append(metadata_, alignment);
}

void Writer::begin_value(std::string_view key, GgufType type) {
  MINFER_CHECK(!header_written_, "key {} comes after tensor data", key);
  MINFER_CHECK(!key.empty() && keys_.emplace(key).second, "key '{}' is empty or given twice", key);
  append_string(metadata_, key);
  append(metadata_, type);
}

void Writer::begin_array(std::string_view key, GgufType element_type, std::uint64_t size) {
  begin_value(key, GgufType::kArray);
  append(metadata_, element_type);
  append(metadata_, size);
}

void Writer::add_u32(std::string_view key, std::uint32_t value) {
  begin_value(key, GgufType::kU32);
  append(metadata_, value);
}

void Writer::add_i32(std::string_view key, std::int32_t value) {
  begin_value(key, GgufType::kI32);
  append(metadata_, value);
}

void Writer::add_u64(std::string_view key, std::uint64_t value) {
  begin_value(key, GgufType::kU64);
  append(metadata_, value);
}

void Writer::add_f32(std::string_view key, float value) {
  begin_value(key, GgufType::kF32);
  append(metadata_, value);
}

void Writer::add_bool(std::string_view key, bool value) {
  begin_value(key, GgufType::kBool);
  append<std::uint8_t>(metadata_, value ? 1 : 0);
}

void Writer::add_string(std::string_view key, std::string_view value) {
  begin_value(key, GgufType::kString);
  append_string(metadata_, value);
}

void Writer::add_strings(std::string_view key, std::span<const std::string> values) {
  begin_array(key, GgufType::kString, values.size());
  for (const std::string& value : values) append_string(metadata_, value);
}

void Writer::add_i32s(std::string_view key, std::span<const std::int32_t> values) {
  begin_array(key, GgufType::kI32, values.size());
  append_bytes(metadata_, std::as_bytes(values));
}

void Writer::add_f32s(std::string_view key, std::span<const float> values) {
  begin_array(key, GgufType::kF32, values.size());
  append_bytes(metadata_, std::as_bytes(values));
}

void Writer::add_value(std::string_view key, const Value& value) {
  MINFER_CHECK(key != "general.alignment", "the alignment is the writer's own");
  if (value.is_array())
    begin_array(key, value.element_type(), value.size());
  else
    begin_value(key, value.type());
  if (value.type() == GgufType::kString) append<std::uint64_t>(metadata_, value.payload().size());
  append_bytes(metadata_, value.payload());
}

void Writer::add_tensor(std::string_view name, const TensorDesc& desc) {
  MINFER_CHECK(!header_written_, "tensor {} comes after tensor data", name);
  MINFER_CHECK(!name.empty() && tensor_names_.emplace(name).second, "tensor '{}' is empty or given twice",
               name);
  MINFER_CHECK(desc.shape.rank >= 1 && desc.shape.elements() >= 1, "tensor {} of shape {}", name,
               to_string(desc.shape));
  tensors_.push_back({std::string(name), desc, tensor_bytes(desc)});
}

void Writer::begin_data() {
  if (header_written_) return;
  header_written_ = true;
  std::string header = "GGUF";
  append(header, kVersion);
  append<std::uint64_t>(header, tensors_.size());
  append<std::uint64_t>(header, keys_.size());
  header += metadata_;
  std::uint64_t offset = 0;
  for (const PendingTensor& tensor : tensors_) {
    append_string(header, tensor.name);
    append(header, static_cast<std::uint32_t>(tensor.desc.shape.rank));
    for (int i = 0; i < tensor.desc.shape.rank; ++i) append(header, tensor.desc.shape.dim[i]);
    append(header, tensor.desc.dtype);
    append(header, offset);
    offset += round_up(tensor.bytes, alignment_);
  }
  file_.write(std::as_bytes(std::span(header)));
  pad();
}

void Writer::pad() {
  const std::vector<std::byte> zeros(round_up(file_.size(), alignment_) - file_.size());
  file_.write(zeros);
}

void Writer::write_tensor(std::string_view name, std::span<const std::byte> data) {
  const std::size_t before = next_tensor_;
  write_part(name, data);
  MINFER_CHECK(next_tensor_ == before + 1, "tensor {} is not complete with {} bytes", name, data.size());
}

void Writer::write_part(std::string_view name, std::span<const std::byte> data) {
  begin_data();
  MINFER_CHECK(next_tensor_ < tensors_.size() && tensors_[next_tensor_].name == name,
               "tensor {} is not the next one", name);
  const PendingTensor& tensor = tensors_[next_tensor_];
  MINFER_CHECK(data.size() <= tensor.bytes - part_bytes_, "tensor {} of {} bytes gets {}", name, tensor.bytes,
               part_bytes_ + data.size());
  file_.write(data);
  part_bytes_ += data.size();
  if (part_bytes_ < tensor.bytes) return;
  pad();
  ++next_tensor_;
  part_bytes_ = 0;
}

void Writer::finish() {
  begin_data();
  MINFER_CHECK(next_tensor_ == tensors_.size(), "the data of tensor {} is missing",
               tensors_[next_tensor_].name);
  file_.commit();
}

}  // namespace minfer::gguf
