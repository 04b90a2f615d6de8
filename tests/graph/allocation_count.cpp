#include "graph/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

// All forms of new and delete that take no alignment: a sanitizer's own would not fit to one of ours.

namespace {

std::atomic<std::size_t> allocations{0};

void* count_and_allocate(std::size_t bytes) noexcept {
  ++allocations;
  return std::malloc(bytes ? bytes : 1);
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* memory = count_and_allocate(bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return count_and_allocate(bytes); }
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return count_and_allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace minfer::test {

std::size_t allocation_count() { return allocations; }

}  // namespace minfer::test
