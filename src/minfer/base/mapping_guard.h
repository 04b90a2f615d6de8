// What happens when a mapped file is shortened by someone else while it is in use: reading a page that is
// gone raises SIGBUS, and no exception can be thrown from there. A program that installs this handler ends
// with one line, `error: FILE: ...truncated while in use`, and exit code 1. A library user who wants
// something else leaves it out. A SIGBUS elsewhere keeps its default action.
#pragma once

#include <cstddef>
#include <span>

namespace minfer {

// Registers a mapping with the line to print. Lock-free; both pointers must stay valid until
// unguard_mapping(). Beyond 256 mappings at once a mapping is simply not guarded.
void guard_mapping(std::span<const std::byte> mapping, const char* message) noexcept;
void unguard_mapping(const std::byte* begin) noexcept;

// Process-wide; calling it again is harmless. For main() of a program, never for a library function.
void install_truncated_file_handler() noexcept;

}  // namespace minfer
