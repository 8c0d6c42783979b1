// Columns, written once: as names or as values.
#ifndef PRUNER_FEATURES_COLUMN_WRITER_H_
#define PRUNER_FEATURES_COLUMN_WRITER_H_

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "pruner/features/statement_row.h"

namespace pruner {

// Ansor's logarithm with a sign.
inline float SignedLog(double value) {
  if (value == 0) return 0;  // as most columns are
  const double log = std::log2(std::abs(value) + 1);
  return static_cast<float>(value < 0 ? -log : log);
}

// Takes columns as they come: their names, with _ for blanks.
class NameWriter {
 public:
  void Begin(absl::string_view group, int number = -1) {
    prefix_ = number < 0 ? absl::StrCat(group, ".")
                         : absl::StrCat(group, number, ".");
  }
  void Log(absl::string_view name, double) { Raw(name, 0); }
  void Raw(absl::string_view name, double) {
    names.push_back(
        absl::StrCat(prefix_, absl::StrReplaceAll(name, {{" ", "_"}})));
  }
  std::vector<std::string> names = {};

 private:
  std::string prefix_;
};

// Or their values, behind those that are there.
class ValueWriter {
 public:
  explicit ValueWriter(std::vector<float>& values) : values_(values) {}
  void Begin(absl::string_view, int = -1) {}
  void Log(absl::string_view, double value) {
    values_.push_back(SignedLog(value));
  }
  void Raw(absl::string_view, double value) {
    values_.push_back(static_cast<float>(value));
  }

 private:
  std::vector<float>& values_;
};

// The 18 columns of a buffer that is used; of none, if it is not there.
template <typename Writer>
void WriteBuffer(const BufferUse& use, bool is_there, Writer& writer) {
  const auto is = [&](auto value, auto wanted) {
    return is_there && value == wanted ? 1.0 : 0.0;
  };
  writer.Raw("read", is(use.type, BufferUse::Type::kRead));
  writer.Raw("write", is(use.type, BufferUse::Type::kWrite));
  writer.Raw("read_write", is(use.type, BufferUse::Type::kReadWrite));
  writer.Log("bytes", use.bytes);
  writer.Log("unique_bytes", use.unique_bytes);
  writer.Log("lines", use.lines);
  writer.Log("unique_lines", use.unique_lines);
  writer.Raw("reuse_loop", is(use.reuse, BufferUse::Reuse::kLoopMultipleRead));
  writer.Raw("reuse_serial",
             is(use.reuse, BufferUse::Reuse::kSerialMultipleReadWrite));
  writer.Raw("reuse_none", is(use.reuse, BufferUse::Reuse::kNone));
  writer.Log("reuse_distance_iterations", use.reuse_distance_iterations);
  writer.Log("reuse_distance_bytes", use.reuse_distance_bytes);
  writer.Log("reuse_count", use.reuse_count);
  // By how often it is reused; twice, where it is not.
  const double uses = use.reuse_count > 0.5 ? use.reuse_count : 0.5;
  writer.Log("bytes_by_reuse", use.bytes / uses);
  writer.Log("unique_bytes_by_reuse", use.unique_bytes / uses);
  writer.Log("lines_by_reuse", use.lines / uses);
  writer.Log("unique_lines_by_reuse", use.unique_lines / uses);
  writer.Log("stride", use.stride);
}

}  // namespace pruner

#endif  // PRUNER_FEATURES_COLUMN_WRITER_H_
