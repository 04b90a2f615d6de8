// A read-only memory mapping of a regular file.
//
// The mapping is of the size that the file has when it is opened. A file that another process shortens later
// faults (SIGBUS) when a lost page is read: see base/mapping_guard.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace minfer {

class MmapFile {
 public:
  // Throws InvalidRequestError naming the file and the reason where it cannot be opened or mapped, or is a
  // folder, pipe or device. An empty file gives empty bytes().
  explicit MmapFile(const std::filesystem::path& path);
  ~MmapFile();
  MmapFile(const MmapFile&) = delete;
  MmapFile& operator=(const MmapFile&) = delete;

  // Valid and at one address for the object's life. The address is a multiple of the page size.
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  const std::string& name() const { return name_; }  // the path as given

  // Hints to the kernel about a range of bytes(); a failure is not an error. Ranges are cut to the file.
  void advise_sequential(std::size_t offset, std::size_t size) const;
  void advise_will_need(std::size_t offset, std::size_t size) const;  // start reading it in
  void advise_dont_need(std::size_t offset, std::size_t size) const;  // its pages may be dropped

 private:
  void advise(std::size_t offset, std::size_t size, int advice) const;

  std::string name_;
  std::string guard_message_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace minfer
