#include "pruner/base/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "utf8_validity.h"

namespace pruner {

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
  // U+0080 to U+009F, which terminals obey, too.
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '\xc2' && static_cast<unsigned char>(line[i + 1]) < 0xa0) {
      line.replace(i, 2, " ");
    }
  }
  return line;
}

}  // namespace pruner
