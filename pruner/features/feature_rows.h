// The rows of features of many programs in one block: what learned models read.
#ifndef PRUNER_FEATURES_FEATURE_ROWS_H_
#define PRUNER_FEATURES_FEATURE_ROWS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace pruner {

// A program has a row of `columns` numbers for each statement that stores, and
// `program_columns` numbers of its own, as the dataflow blocks are; what the
// columns are, their schema says, not this. Programs have different numbers of
// rows.
struct FeatureRows {
  int columns = 0;
  std::vector<float> values = {};  // row by row, program by program
  std::vector<int32_t> ends = {};  // by program: one past its last row
  int program_columns = 0;
  std::vector<float> program_values = {};  // program by program

  int num_programs() const { return static_cast<int>(ends.size()); }
  int num_rows() const { return ends.empty() ? 0 : ends.back(); }

  // The first row of a program; the next program's for the one past the last.
  int begin(int program) const {
    return program == 0 ? 0 : ends[static_cast<size_t>(program - 1)];
  }
  // The values of a program's rows, one row after the other. Gone with the next
  // change.
  absl::Span<const float> rows(int program) const;
  // A program's own values. Gone with the next change.
  absl::Span<const float> program_row(int program) const;

  // Adds a program. Its rows are whole, so the number of values is a multiple
  // of `columns`, and at least one; of its own it has `program_columns`.
  void Append(absl::Span<const float> rows,
              absl::Span<const float> program_row = {});
  // Adds a program of others with the same columns, not of these.
  void AppendFrom(const FeatureRows& others, int program);

  // Adds all programs of others, as AppendFrom does.
  void AppendAll(const FeatureRows& others);

  // The programs from `begin` to before `end`.
  FeatureRows Slice(int begin, int end) const;

  // No programs, the same columns; keeps the memory for the next ones.
  void Clear();

  bool operator==(const FeatureRows&) const = default;
};

}  // namespace pruner

#endif  // PRUNER_FEATURES_FEATURE_ROWS_H_
