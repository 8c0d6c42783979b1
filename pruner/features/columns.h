// The columns that learned models read of a program: named, versioned, a row
// per statement. The first 164 are Ansor's, as TenSet has them
// (docs/algorithms.md A7); those behind are ours.
#ifndef PRUNER_FEATURES_COLUMNS_H_
#define PRUNER_FEATURES_COLUMNS_H_

#include <string>
#include <vector>

#include "pruner/features/dataflow_blocks.h"
#include "pruner/features/expected_costs.h"
#include "pruner/features/feature_rows.h"
#include "pruner/features/footprints.h"
#include "pruner/features/statement_row.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Which columns.
enum class ColumnSet {
  kAnsor,   // Ansor's alone, which its trees read
  kTenset,  // those and the ten flags of the task (task_flags.h), as TenSet's
            // network has them
  // The same, and the dataflow blocks, block by block, as the program's own
  // values: all that published checkpoints of PaCM read.
  kPacm,
  kAll,  // Ansor's and ours
  kAllAndDataflow,
};

inline constexpr int kAnsorColumns = 164;

// Such as "statement columns 1 (all)": changes whenever a column does.
std::string ColumnSetName(ColumnSet columns);

// Of rows, in order; as many as a row has values. The program's own are named
// by DataflowColumnNames.
const std::vector<std::string>& ColumnNames(ColumnSet columns);

// Makes rows; keeps its memory from call to call.
class ColumnExtractor {
 public:
  explicit ColumnExtractor(ColumnSet columns);

  // Rows of no program yet, for Append.
  FeatureRows NoRows() const;

  // Adds the program: a row for each buffer that it stores to, at least one,
  // and its own values.
  void Append(const Program& program, const TargetSpec& target,
              FeatureRows& rows);

 private:
  const ColumnSet columns_;
  Footprints footprints_;
  StatementRows rows_;
  ExpectedCosts costs_;
  DataflowExtractor dataflow_;
  std::vector<float> values_;
  std::vector<float> program_values_;
};

}  // namespace pruner

#endif  // PRUNER_FEATURES_COLUMNS_H_
