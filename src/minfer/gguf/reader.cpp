#include "gguf/reader.h"

#include <fmt/format.h>

#include <bit>

#include "base/check.h"
#include "base/printable.h"
#include "gguf/cursor.h"
#include "gguf/file_kind.h"
#include "gguf/parse_tensors.h"
#include "minfer/error.h"

namespace minfer::gguf {
namespace {

constexpr std::uint64_t kMaxKeyBytes = 65535;
// The least that a key-value pair (name of one byte, type, value of one byte) and a tensor description (name
// of one byte, rank, one dimension, type, offset) take: bounds the counts by the file's size.
constexpr std::uint64_t kMinMetadataBytes = 8 + 1 + 4 + 1;
constexpr std::uint64_t kMinTensorInfoBytes = 8 + 1 + 4 + 8 + 4 + 8;

void check_magic(Cursor& cursor, std::span<const std::byte> file) {
  const std::string reason = why_not_gguf(file);
  if (!reason.empty()) cursor.fail(0, reason);
  cursor.take(4, "magic");
}

std::uint32_t parse_version(Cursor& cursor) {
  const std::uint64_t start = cursor.offset();
  const std::uint32_t version = cursor.take_u32("version");
  if (version == 2 || version == 3) return version;
  if (version == 1)
    cursor.fail(
        start,
        "GGUF version 1 is not supported: convert the original model again (versions 2 and 3 are read)");
  if (version != 0 && (version & 0xffff) == 0)
    cursor.fail(start,
                fmt::format("version {} looks byte-swapped: a big-endian file; convert it on a little-endian "
                            "machine",
                            version));
  cursor.fail(start, fmt::format("GGUF version {} is not supported (2 and 3 are)", version));
}

std::uint64_t parse_count(Cursor& cursor, std::string_view what, std::uint64_t min_bytes,
                          std::uint64_t limit) {
  const std::uint64_t start = cursor.offset();
  const std::uint64_t count = cursor.take_u64(what);
  if (count > cursor.left() / min_bytes)
    cursor.fail(
        start, fmt::format("{} {}: cannot fit in the {} bytes left of the file", what, count, cursor.left()));
  if (count > limit) cursor.fail(start, fmt::format("{} {}: the limit is {}", what, count, limit));
  return count;
}

std::vector<MetadataEntry> parse_metadata(Cursor& cursor, std::uint64_t count) {
  std::vector<MetadataEntry> entries;
  entries.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    cursor.set_subject("metadata", "");
    const std::string_view key = cursor.take_name("key", kMaxKeyBytes);
    cursor.set_subject("key", key);
    entries.push_back({key, parse_value(cursor)});
  }
  return entries;
}

// The offset in the file of a part of it.
std::uint64_t offset_in(std::span<const std::byte> file, const void* pointer) {
  return static_cast<std::uint64_t>(static_cast<const std::byte*>(pointer) - file.data());
}

[[noreturn]] void fail_key(const Reader& reader, std::string_view key, std::uint64_t offset,
                           std::string_view reason) {
  throw_invalid_file(reader.file_name(), "key", key, offset, reason);
}

std::uint64_t parse_alignment(const Reader& reader, std::span<const std::byte> file) {
  constexpr std::string_view kKey = "general.alignment";
  const Value* value = reader.find(kKey);
  if (value == nullptr) return Reader::kDefaultAlignment;
  const std::uint64_t offset = offset_in(file, value->payload().data());
  const std::optional<std::uint64_t> alignment = value->as_u64();
  if (!alignment)
    fail_key(reader, kKey, offset, fmt::format("a value of type {}, not u32", gguf_type_name(value->type())));
  if (!std::has_single_bit(*alignment) || *alignment < Reader::kMinAlignment ||
      *alignment > Reader::kMaxAlignment)
    fail_key(reader, kKey, offset,
             fmt::format("alignment {} is not a power of two in {}..{}", *alignment, Reader::kMinAlignment,
                         Reader::kMaxAlignment));
  return *alignment;
}

// Throws for a shard of a model that is split over several files.
void check_not_sharded(const Reader& reader) {
  const Value* count = reader.find("split.count");
  if (count == nullptr) return;
  const std::optional<std::uint64_t> shards = count->as_u64();
  if (shards && *shards <= 1) return;
  throw UnsupportedError(fmt::format(
      "{}: key split.count: this is one of {} files of a sharded model, which is not supported: join them "
      "first, for example with `llama-gguf-split --merge FIRST-SHARD OUTPUT`",
      printable(reader.file_name()), shards ? std::to_string(*shards) : "several"));
}

}  // namespace

Reader Reader::parse(std::span<const std::byte> file, std::string_view file_name) {
  Reader reader;
  reader.file_ = file;
  reader.file_name_ = file_name;
  Cursor cursor(file, file_name);
  check_magic(cursor, file);
  reader.version_ = parse_version(cursor);
  const std::uint64_t n_tensors = parse_count(cursor, "tensor count", kMinTensorInfoBytes, kMaxTensors);
  const std::uint64_t n_keys = parse_count(cursor, "key count", kMinMetadataBytes, kMaxMetadataKeys);
  reader.parse_keys(cursor, n_keys);
  reader.parse_tensors(cursor, n_tensors);
  return reader;
}

void Reader::parse_keys(Cursor& cursor, std::uint64_t count) {
  metadata_ = parse_metadata(cursor, count);
  keys_ = NameIndex(static_cast<std::uint32_t>(count), [this](std::uint32_t i) { return metadata_[i].key; });
  if (const std::optional<std::uint32_t> i = keys_.find_duplicate()) {
    const std::string_view key = metadata_[*i].key;
    fail_key(*this, key, offset_in(file_, key.data()), "the key occurs twice");
  }
  alignment_ = parse_alignment(*this, file_);
  check_not_sharded(*this);
}

void Reader::parse_tensors(Cursor& cursor, std::uint64_t count) {
  tensors_ = parse_tensor_infos(cursor, count, alignment_);
  tensor_names_ =
      NameIndex(static_cast<std::uint32_t>(count), [this](std::uint32_t i) { return tensors_[i].name; });
  if (const std::optional<std::uint32_t> i = tensor_names_.find_duplicate()) {
    const std::string_view name = tensors_[*i].name;
    throw_invalid_file(file_name_, "tensor", name, offset_in(file_, name.data()), "the name occurs twice");
  }
  data_offset_ = (cursor.offset() + alignment_ - 1) / alignment_ * alignment_;
  place_tensors(tensors_, data_offset_, file_.size(), file_name_);
}

const Value* Reader::find(std::string_view key) const {
  const std::optional<std::uint32_t> i = keys_.find(key);
  return i ? &metadata_[*i].value : nullptr;
}

const TensorInfo* Reader::find_tensor(std::string_view name) const {
  const std::optional<std::uint32_t> i = tensor_names_.find(name);
  return i ? &tensors_[*i] : nullptr;
}

TensorView Reader::view(const TensorInfo& info) const {
  if (!info.dtype)
    throw UnsupportedError(fmt::format("{}: tensor {}: its type {} cannot be computed with",
                                       printable(file_name_), printable(info.name), info.gguf_type));
  MINFER_CHECK(info.offset <= file_.size() && info.bytes <= file_.size() - info.offset, "tensor {}",
               info.name);
  return {{*info.dtype, info.shape}, file_.data() + info.offset, static_cast<std::size_t>(info.bytes)};
}

}  // namespace minfer::gguf
