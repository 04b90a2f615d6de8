#include "tokenizer/nfc.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/check.h"
#include "tokenizer/utf8.h"

namespace minfer {
namespace {

constexpr auto kComposeOptions = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);

// Nothing below U+0300 combines with what precedes it or decomposes for good; such text is NFC already. Those
// code points have lead bytes up to 0xCB.
bool is_below_combining_marks(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0xCC; });
}

std::vector<utf8proc_int32_t> decompose(std::string_view text) {
  std::vector<utf8proc_int32_t> decomposed;
  decomposed.reserve(text.size());
  std::array<utf8proc_int32_t, 16> buffer;  // the longest canonical decomposition has 4 code points
  int boundary_class = 0;
  while (!text.empty()) {
    const Utf8Step step = decode_utf8(text);
    MINFER_CHECK(step.status == Utf8Status::kValid, "the text was to be valid UTF-8");
    const utf8proc_ssize_t n =
        utf8proc_decompose_char(static_cast<utf8proc_int32_t>(step.code_point), buffer.data(), buffer.size(),
                                kComposeOptions, &boundary_class);
    MINFER_CHECK(n > 0 && n <= static_cast<utf8proc_ssize_t>(buffer.size()), "U+{:04X} decomposes to {}",
                 static_cast<uint32_t>(step.code_point), n);
    decomposed.insert(decomposed.end(), buffer.begin(), buffer.begin() + n);
    text.remove_prefix(step.length);
  }
  return decomposed;
}

int combining_class(utf8proc_int32_t code_point) {
  return utf8proc_get_property(code_point)->combining_class;
}

// Canonical order: each run of marks sorted by combining class. utf8proc's own is an insertion sort, which a
// prompt of alternating marks makes quadratic.
void order_marks(std::vector<utf8proc_int32_t>& code_points) {
  const auto is_mark = [](utf8proc_int32_t c) { return combining_class(c) != 0; };
  auto begin = std::find_if(code_points.begin(), code_points.end(), is_mark);
  while (begin != code_points.end()) {
    const auto end = std::find_if_not(begin, code_points.end(), is_mark);
    std::stable_sort(begin, end, [](auto a, auto b) { return combining_class(a) < combining_class(b); });
    begin = std::find_if(end, code_points.end(), is_mark);
  }
}

}  // namespace

std::string to_nfc(std::string_view text) {
  if (is_below_combining_marks(text)) return std::string(text);
  std::vector<utf8proc_int32_t> code_points = decompose(text);
  order_marks(code_points);
  const utf8proc_ssize_t n = utf8proc_normalize_utf32(
      code_points.data(), static_cast<utf8proc_ssize_t>(code_points.size()), kComposeOptions);
  MINFER_CHECK(n >= 0, "{}", utf8proc_errmsg(n));
  std::string result;
  result.reserve(text.size());
  for (utf8proc_ssize_t i = 0; i < n; ++i) append_utf8(result, static_cast<char32_t>(code_points[i]));
  return result;
}

}  // namespace minfer
