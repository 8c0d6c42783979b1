#include "pruner/base/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "utf8_validity.h"

namespace pruner {
namespace {

// Whether one of U+0080 to U+009F, which terminals obey, too, begins here.
bool IsTwoByteControl(absl::string_view valid, size_t i) {
  return valid[i] == '\xc2' && static_cast<unsigned char>(valid[i + 1]) < 0xa0;
}

}  // namespace

std::string ValidUtf8(absl::string_view text) {
  constexpr absl::string_view kReplacement = "\xef\xbf\xbd";
  std::string valid;
  while (true) {
    const size_t good = utf8_range::SpanStructurallyValid(text);
    absl::StrAppend(&valid, text.substr(0, good));
    if (good == text.size()) return valid;
    absl::StrAppend(&valid, kReplacement);
    text.remove_prefix(good + 1);
  }
}

std::string OneLine(absl::string_view text) {
  std::string line = ValidUtf8(text);
  std::replace_if(line.begin(), line.end(), absl::ascii_iscntrl, ' ');
  for (size_t i = 0; i < line.size(); ++i) {
    if (IsTwoByteControl(line, i)) line.replace(i, 2, " ");
  }
  return line;
}

std::string ForTerminal(absl::string_view text) {
  const std::string valid = ValidUtf8(text);
  std::string shown;
  for (size_t i = 0; i < valid.size(); ++i) {
    const bool has_two_bytes = IsTwoByteControl(valid, i);
    i += has_two_bytes;
    const char c = valid[i];
    if (has_two_bytes || (absl::ascii_iscntrl(c) && c != '\n' && c != '\t')) {
      absl::StrAppend(&shown, "\\x", absl::Hex(c & 0xff, absl::kZeroPad2));
    } else {
      shown += c;
    }
  }
  return shown;
}

}  // namespace pruner
