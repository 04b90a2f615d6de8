// The fusion rules in the order in which they run. A new rule is one line in rule_list.cpp.
#pragma once

#include "graph/fuse/rule.h"

namespace minfer {

std::span<const FuseRule> fuse_rules();

}  // namespace minfer
