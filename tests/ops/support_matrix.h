// docs/support-matrix.md: what every backend's plan answers for the cases of every op.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "backends/backend.h"
#include "support/op_case.h"

namespace minfer::test {

// The page, for the backends of the registry that every build has. The same on every machine: no instruction set, no
// thread count.
std::string support_matrix();

// A page like it: a heading, then a column for each backend.
std::string support_page(std::string_view heading, std::span<Backend* const> backends);

// A cell of its tables: "yes", "yes, reads q8_row32" (the activation type that the plan asks for), "no: REASON", or
// "3 of 5; no: REASON" where some of the cases are supported.
std::string support_of(Backend& backend, const std::vector<OpCase>& cases);

}  // namespace minfer::test
