// Finds the special tokens of a text, in time linear in the text however many tokens there are and however
// they overlap: an Aho-Corasick automaton over the reversed tokens reads the text backwards, and its state at
// a byte gives the longest token that starts there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace minfer {

struct PatternMatch {
  size_t begin, length;  // bytes of the text
  int32_t id;
};

class PatternSet {
 public:
  PatternSet();
  void add(std::string_view pattern, int32_t id);  // not empty; before finish()
  void finish();

  bool empty() const { return nodes_.size() == 1; }

  // Appends the longest match at every place of text[begin, end) where a pattern starts and ends before
  // `end`, from the last place to the first. Matches may overlap.
  void find(std::string_view text, size_t begin, size_t end, std::vector<PatternMatch>& matches) const;

 private:
  struct Node {
    int32_t first_child = 0, next_sibling = 0;  // 0: none
    int32_t suffix = 0;                         // the node of the longest proper suffix that is in the tree
    int32_t id = -1;                            // of the longest pattern that ends here, -1: none
    uint32_t length = 0;                        // of that pattern
    uint8_t byte = 0;
  };
  int32_t child(int32_t node, uint8_t byte) const;
  int32_t add_child(int32_t node, uint8_t byte);
  int32_t step(int32_t node, uint8_t byte) const;

  std::vector<Node> nodes_;                 // the first is the root
  std::array<int32_t, 256> root_children_;  // by byte; 0: none
};

}  // namespace minfer
