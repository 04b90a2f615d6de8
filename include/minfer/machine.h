// What this machine offers a model: the backends, and the kernels that each would choose.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace minfer {

struct BackendStatus {
  std::string name;  // "cpu", "cuda", "reference"
  bool available = false;
  bool only_by_name = false;       // an oracle for tests: a run takes it only where it is asked for
  std::string detail;              // where available what it is, else why it is not
  std::uint64_t memory_bytes = 0;  // of the device, where available
  std::uint64_t free_bytes = 0;
};

// Every backend that minfer knows, in order of preference, also those that this build or this machine does not have.
std::vector<BackendStatus> backend_statuses();

// Which kernels multiply a weight of one type: with one token, as in decode, and with many, as in prefill. A label
// names the candidate and its instruction set; where there is none, it says why in brackets.
struct ProductKernels {
  std::string type;  // "q4_K"
  std::string decode;
  std::string prefill;
};

// For every weight type, as the backend's planner answers with the developer levers as they are set. Throws
// InvalidRequestError for a backend that is not known or not there.
std::vector<ProductKernels> product_kernels(const std::string& backend);

}  // namespace minfer
