#include "base/mmap_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/mapping_guard.h"
#include "base/printable.h"
#include "minfer/error.h"

namespace minfer {
namespace {

[[noreturn]] void fail(const std::string& name, const char* action, const char* reason) {
  throw InvalidRequestError(fmt::format("{}: cannot {}: {}", printable(name), action, reason));
}

// Closes the descriptor on every path; the mapping stays valid without it.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::size_t regular_file_size(int fd, const std::string& name) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) fail(name, "open", std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail(name, "open", "is a folder");
  if (!S_ISREG(status.st_mode)) fail(name, "open", "is not a regular file");
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

MmapFile::MmapFile(const std::filesystem::path& path) : name_(path.string()) {
  // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail(name_, "open", std::strerror(errno));
  size_ = regular_file_size(file.get(), name_);
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.get(), 0);
  if (address == MAP_FAILED) fail(name_, "map", std::strerror(errno));
  data_ = static_cast<const std::byte*>(address);
  guard_message_ = fmt::format("error: {}: the file was truncated while in use\n", printable(name_));
  guard_mapping(bytes(), guard_message_.c_str());
}

MmapFile::~MmapFile() {
  if (data_ == nullptr) return;
  unguard_mapping(data_);
  ::munmap(const_cast<std::byte*>(data_), size_);
}

void MmapFile::advise(std::size_t offset, std::size_t size, int advice) const {
  if (data_ == nullptr || offset >= size_) return;
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t begin = offset / page * page;
  const std::size_t end = offset + std::min(size, size_ - offset);
  ::madvise(const_cast<std::byte*>(data_) + begin, end - begin, advice);
}

void MmapFile::advise_sequential(std::size_t offset, std::size_t size) const {
  advise(offset, size, MADV_SEQUENTIAL);
}
void MmapFile::advise_will_need(std::size_t offset, std::size_t size) const {
  advise(offset, size, MADV_WILLNEED);
}
void MmapFile::advise_dont_need(std::size_t offset, std::size_t size) const {
  advise(offset, size, MADV_DONTNEED);
}

}  // namespace minfer
