// An open GGUF file: its memory mapping and the parsed header.
#pragma once

#include <filesystem>
#include <memory>

#include "base/mmap_file.h"
#include "gguf/reader.h"

namespace minfer::gguf {

class File {
 public:
  // Throws InvalidRequestError where the file cannot be opened, and what Reader::parse throws.
  static std::shared_ptr<const File> open(const std::filesystem::path& path);
  // Prefer open(): whoever keeps views into the file needs a share of it.
  explicit File(const std::filesystem::path& path);

  const Reader& reader() const { return reader_; }
  const MmapFile& mapping() const { return mapping_; }

 private:
  MmapFile mapping_;
  Reader reader_;
};

}  // namespace minfer::gguf
