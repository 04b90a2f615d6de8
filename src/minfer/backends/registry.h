// The backends of this build. registry.cpp holds the list; adding one is a line there.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace minfer {

struct BackendOptions {
  std::string only;   // name of the one to use alone ("cpu", "reference"); empty: all that this machine has
  int n_threads = 0;  // of backends that have threads; 0: their default
  int gpu = -1;       // ordinal of the GPU to use, of backends that choose among several; -1: the best one
};

// In order of preference (Metal, CUDA, CPU); the last one runs every op. The reference backend, an oracle for tests,
// is only made by name. Throws InvalidRequestError for a name that is not known or not there, and for a MINFER_KERNEL
// that check_kernel_name refuses.
std::vector<std::unique_ptr<Backend>> make_backends(const BackendOptions& options);

// A backend, or why it is not here.
struct BackendPresence {
  std::string_view name;
  std::unique_ptr<Backend> backend;  // null where absent
  std::string why_absent;
  bool only_by_name = false;
};
// All that minfer knows, in order of preference: also those that were not built. Throws nothing for one that fails.
std::vector<BackendPresence> find_backends();

// Throws InvalidRequestError when no op of any backend has a kernel candidate of that name: a misspelt MINFER_KERNEL
// would otherwise force nothing, and say nothing.
void check_kernel_name(std::string_view name);

// The names of the list, in order of preference.
std::vector<std::string_view> backend_names();

}  // namespace minfer
