#include "gguf/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/printable.h"
#include "minfer/error.h"

namespace minfer::gguf {

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
  temporary_ += fmt::format(".tmp-{}", ::getpid());
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0)
    throw InvalidRequestError(
        fmt::format("cannot create {}: {}", printable(temporary_.string()), std::strerror(errno)));
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void OutputFile::fail(const char* action) const {
  throw Error(fmt::format("cannot {} {}: {}", action, printable(path_.string()), std::strerror(errno)));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  MINFER_CHECK(fd_ >= 0, "{} is complete already", path_.string());
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
}

void OutputFile::commit() {
  MINFER_CHECK(fd_ >= 0, "{} is complete already", path_.string());
  // Some file systems report a full disk only here.
  const int closed = ::close(std::exchange(fd_, -1));
  if (closed == 0 && ::rename(temporary_.c_str(), path_.c_str()) == 0) return;
  const int reason = errno;
  ::unlink(temporary_.c_str());
  errno = reason;
  fail("finish");
}

}  // namespace minfer::gguf
