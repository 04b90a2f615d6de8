#include "tokenizer/pattern_set.h"

#include <utility>

#include "base/check.h"

namespace minfer {

PatternSet::PatternSet() : nodes_(1), root_children_{} {}

void PatternSet::add(std::string_view pattern, int32_t id) {
  MINFER_CHECK(!pattern.empty(), "token {}", id);
  int32_t node = 0;
  for (auto at = pattern.rbegin(); at != pattern.rend(); ++at) {
    const auto byte = static_cast<uint8_t>(*at);
    const int32_t next = child(node, byte);
    node = next != 0 ? next : add_child(node, byte);
  }
  nodes_[node].id = id;
  nodes_[node].length = static_cast<uint32_t>(pattern.size());
}

int32_t PatternSet::add_child(int32_t node, uint8_t byte) {
  const auto added = static_cast<int32_t>(nodes_.size());
  Node& n = nodes_.emplace_back();
  n.byte = byte;
  n.next_sibling = std::exchange(nodes_[node].first_child, added);
  if (node == 0) root_children_[byte] = added;
  return added;
}

void PatternSet::finish() {
  std::vector<int32_t> order{0};  // breadth first: a node's suffix is shorter, so it is done before the node
  for (size_t i = 0; i < order.size(); ++i) {
    const int32_t parent = order[i];
    for (int32_t node = nodes_[parent].first_child; node != 0; node = nodes_[node].next_sibling) {
      Node& n = nodes_[node];
      n.suffix = parent == 0 ? 0 : step(nodes_[parent].suffix, n.byte);
      if (n.id < 0) {
        n.id = nodes_[n.suffix].id;
        n.length = nodes_[n.suffix].length;
      }
      order.push_back(node);
    }
  }
}

void PatternSet::find(std::string_view text, size_t begin, size_t end,
                      std::vector<PatternMatch>& matches) const {
  if (empty()) return;
  int32_t node = 0;
  for (size_t i = end; i-- > begin;) {
    node = step(node, static_cast<uint8_t>(text[i]));
    if (nodes_[node].id >= 0) matches.push_back({i, nodes_[node].length, nodes_[node].id});
  }
}

int32_t PatternSet::child(int32_t node, uint8_t byte) const {
  if (node == 0) return root_children_[byte];
  int32_t at = nodes_[node].first_child;
  while (at != 0 && nodes_[at].byte != byte) at = nodes_[at].next_sibling;
  return at;
}

// The node of the longest suffix of (what `node` stands for, then `byte`) that is in the tree.
int32_t PatternSet::step(int32_t node, uint8_t byte) const {
  int32_t next = child(node, byte);
  while (next == 0 && node != 0) {
    node = nodes_[node].suffix;
    next = child(node, byte);
  }
  return next;
}

}  // namespace minfer
