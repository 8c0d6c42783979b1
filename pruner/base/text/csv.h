// Text in CSV files.
#ifndef PRUNER_BASE_TEXT_CSV_H_
#define PRUNER_BASE_TEXT_CSV_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace pruner {

// Any text as one field: in quotes, those in it doubled.
inline std::string CsvField(absl::string_view text) {
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

}  // namespace pruner

#endif  // PRUNER_BASE_TEXT_CSV_H_
