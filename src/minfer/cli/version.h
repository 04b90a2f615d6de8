#pragma once

#include <string>

namespace minfer::cli {

std::string version_text();    // "0.1.0"
std::string build_commit();    // "632c2d7ab", or "unknown" where it was not built from a git clone
int build_number();            // commits up to it
std::string version_report();  // several lines: version, compiler, instruction sets, backends

}  // namespace minfer::cli
