// Texts of unknown origin, made fit to be stored and shown.
#ifndef PRUNER_BASE_TEXT_UTF8_H_
#define PRUNER_BASE_TEXT_UTF8_H_

#include <string>

#include "absl/strings/string_view.h"

namespace pruner {

// The text with U+FFFD in place of each byte that is not part of valid UTF-8.
// Protocol Buffers writes other strings, but refuses to read them again.
std::string ValidUtf8(absl::string_view text);

// The same with a blank in place of each control character, so that nobody's
// line break or escape sequence takes a line or a table apart.
std::string OneLine(absl::string_view text);

// The valid text with its line breaks and tabs, but each other control
// character as it is written in C++, such as \x1b.
std::string ForTerminal(absl::string_view text);

}  // namespace pruner

#endif  // PRUNER_BASE_TEXT_UTF8_H_
