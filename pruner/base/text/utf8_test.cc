#include "pruner/base/text/utf8.h"

#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

struct Case {
  absl::string_view text, valid, line;
};

TEST(Utf8Test, ReplacesWhatIsNotFit) {
  const Case cases[] = {
      {"", "", ""},
      {"conv \xc3\xa9", "conv \xc3\xa9", "conv \xc3\xa9"},
      {"a\xff"
       "b",
       "a\xef\xbf\xbd"
       "b",
       "a\xef\xbf\xbd"
       "b"},
      {"\xc3", "\xef\xbf\xbd", "\xef\xbf\xbd"},
      {"\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd", "\xef\xbf\xbd\xef\xbf\xbd"},
      {"a\nb\tc\x1b[2Jd\x7f", "a\nb\tc\x1b[2Jd\x7f", "a b c [2Jd "},
      // The one-character form of an escape sequence's start.
      {"a\xc2\x9b"
       "2J",
       "a\xc2\x9b"
       "2J",
       "a 2J"},
      {"\xc2\xa0", "\xc2\xa0", "\xc2\xa0"},
      {absl::string_view("\0x", 2), absl::string_view("\0x", 2), " x"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ValidUtf8(c.text), c.valid);
    EXPECT_EQ(OneLine(c.text), c.line);
  }
}

TEST(Utf8Test, ShowsControlCharacters) {
  EXPECT_EQ(ForTerminal("a\nb\tc \xc3\xa9\xc2\xa0…"),
            "a\nb\tc \xc3\xa9\xc2\xa0…");
  EXPECT_EQ(ForTerminal("a\x1b[2Jb\rc\x7f"), "a\\x1b[2Jb\\x0dc\\x7f");
  EXPECT_EQ(ForTerminal("a\xc2\x9b"
                        "2J"),
            "a\\x9b2J");
  EXPECT_EQ(ForTerminal(absl::string_view("\0\xff", 2)), "\\x00\xef\xbf\xbd");
}

}  // namespace
}  // namespace pruner
