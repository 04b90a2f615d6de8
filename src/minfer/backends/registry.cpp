#include "backends/registry.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#ifdef MINFER_CUDA
#include "backends/cuda/cuda_backend.h"
#endif
#include "base/levers.h"
#include "minfer/error.h"

namespace minfer {
namespace {

struct Entry {
  std::string_view name;
  bool by_name_only;
  // Null where this machine has no such device.
  std::unique_ptr<Backend> (*make)(const BackendOptions& options);
  // Whether one of its ops has a kernel candidate of that name.
  bool (*has_kernel)(std::string_view name);
  std::string_view why_null = "this machine has no such device";
};

#ifdef MINFER_CUDA
std::unique_ptr<Backend> make_cuda(const BackendOptions& options) {
  if (levers().disable_cuda) return nullptr;
  CudaOptions cuda = cuda_options(levers());
  cuda.device = options.gpu;
  return CudaBackend::create_if_present(cuda);
}
#endif

std::unique_ptr<Backend> make_cpu(const BackendOptions& options) {
  CpuOptions cpu = cpu_options(levers());
  cpu.n_threads = options.n_threads;
  return std::make_unique<CpuBackend>(cpu);
}

std::unique_ptr<Backend> make_reference(const BackendOptions&) {
  return std::make_unique<ReferenceBackend>();
}

bool has_no_kernel(std::string_view) { return false; }

constexpr std::array kEntries = {
#ifdef MINFER_CUDA
    Entry{"cuda", false, make_cuda, cuda::has_kernel,
          "no CUDA device was found, or MINFER_DISABLE_CUDA is set"},
#endif
    Entry{"cpu", false, make_cpu, has_cpu_kernel},
    Entry{"reference", true, make_reference, has_no_kernel},
};

// Backends that exist but are not in this build.
struct NotBuilt {
  std::string_view name;
  std::string_view why;
};
constexpr std::array kNotBuilt = {
#ifndef MINFER_CUDA
    NotBuilt{"cuda", "not in this build (cmake -DMINFER_CUDA=ON)"},
#endif
    NotBuilt{"metal", "not in this build: it is still to be written"},
};

BackendPresence presence_of(const Entry& entry) {
  try {
    BackendPresence presence{entry.name, entry.make({}), {}, entry.by_name_only};
    if (!presence.backend) presence.why_absent = entry.why_null;
    return presence;
  } catch (const Error& error) {
    return {entry.name, nullptr, error.what()};
  }
}

}  // namespace

std::vector<BackendPresence> find_backends() {
  std::vector<BackendPresence> all;
  for (const Entry& entry : kEntries) all.push_back(presence_of(entry));
  for (const NotBuilt& backend : kNotBuilt) all.push_back({backend.name, nullptr, std::string(backend.why)});
  return all;
}

std::vector<std::unique_ptr<Backend>> make_backends(const BackendOptions& options) {
  if (!levers().kernel.empty()) check_kernel_name(levers().kernel);
  std::vector<std::unique_ptr<Backend>> backends;
  std::string known;
  for (const Entry& entry : kEntries) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
    if (options.only.empty() ? entry.by_name_only : entry.name != options.only) continue;
    if (auto backend = entry.make(options)) backends.push_back(std::move(backend));
  }
  if (backends.empty())
    throw InvalidRequestError(
        fmt::format("backend \"{}\" is not known or not there (known: {})", options.only, known));
  return backends;
}

std::vector<std::string_view> backend_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kEntries) names.push_back(entry.name);
  return names;
}

void check_kernel_name(std::string_view name) {
  const auto has_it = [&](const Entry& entry) { return entry.has_kernel(name); };
  if (std::any_of(kEntries.begin(), kEntries.end(), has_it)) return;
  throw InvalidRequestError(fmt::format(
      "MINFER_KERNEL: \"{}\" is not a kernel of any op (MINFER_OP_TIMING shows their names)", name));
}

}  // namespace minfer
