#include "gguf/file.h"

namespace minfer::gguf {

std::shared_ptr<const File> File::open(const std::filesystem::path& path) {
  return std::make_shared<const File>(path);
}

File::File(const std::filesystem::path& path)
    : mapping_(path), reader_(Reader::parse(mapping_.bytes(), mapping_.name())) {}

}  // namespace minfer::gguf
