#include "configurations.h"

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#include "base/cpu_features.h"
#ifdef MINFER_CUDA
#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/device/driver.h"
#endif

namespace minfer::test {
namespace {

Configuration cpu_configuration(CpuIsa isa, int n_threads) {
  const std::string name =
      "cpu " + std::string(isa_name(isa)) + ", " + std::to_string(n_threads) + " threads";
  return {name, [=] {
            CpuOptions options;
            options.isa = isa;
            options.n_threads = n_threads;
            return std::make_unique<CpuBackend>(options);
          }};
}

std::vector<Configuration> cpu_configurations() {
  std::vector<Configuration> result;
  for (const CpuIsa isa : usable_isas(detect_cpu_features()))
    for (const int n_threads : {1, 3}) result.push_back(cpu_configuration(isa, n_threads));
  return result;
}

std::vector<BackendConfigurations> find_backends() {
  std::vector<BackendConfigurations> all = {
      {"reference", {{"reference", [] { return std::make_unique<ReferenceBackend>(); }}}},
      {"cpu", cpu_configurations()}};
#ifdef MINFER_CUDA
  if (cuda::device_count() > 0)
    all.push_back({"cuda", {{"cuda", [] { return std::make_unique<CudaBackend>(); }}}});
#endif
  return all;
}

}  // namespace

const std::vector<BackendConfigurations>& backends_under_test() {
  static const std::vector<BackendConfigurations> all = find_backends();
  return all;
}

}  // namespace minfer::test
