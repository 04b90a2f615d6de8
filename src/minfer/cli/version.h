#pragma once

#include <string>

namespace minfer::cli {

std::string version_text();    // "0.1.0"
std::string version_report();  // several lines: version, compiler, instruction sets, backends

}  // namespace minfer::cli
