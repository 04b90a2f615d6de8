#include "base/check.h"

#include <cstring>

namespace minfer {

void throw_check_failure(const char* file, int line, const char* condition, const std::string& details) {
  const char* slash = std::strrchr(file, '/');
  throw InternalError(fmt::format("internal error at {}:{}: {} does not hold{}{}", slash ? slash + 1 : file,
                                  line, condition, details.empty() ? "" : ": ", details));
}

}  // namespace minfer
