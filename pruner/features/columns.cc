#include "pruner/features/columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/features/column_writer.h"
#include "pruner/features/cpu_costs.h"
#include "pruner/features/dataflow_blocks.h"
#include "pruner/features/expected_costs.h"
#include "pruner/features/feature_rows.h"
#include "pruner/features/footprints.h"
#include "pruner/features/locality.h"
#include "pruner/features/statement_row.h"
#include "pruner/features/task_flags.h"
#include "pruner/program/program.h"
#include "pruner/program/streams.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

constexpr int kVersion = 4;

bool HasOurs(ColumnSet columns) {
  return columns == ColumnSet::kAll || columns == ColumnSet::kAllAndDataflow;
}

bool HasFlags(ColumnSet columns) {
  return columns == ColumnSet::kTenset || columns == ColumnSet::kPacm;
}

bool HasDataflow(ColumnSet columns) {
  return columns == ColumnSet::kPacm || columns == ColumnSet::kAllAndDataflow;
}

// Where in a nest loops are, as Ansor has it.
constexpr const char* kPlaces[] = {
    "nowhere",         "inner_spatial",    "middle_spatial",  "outer_spatial",
    "inner_reduction", "middle_reduction", "outer_reduction", "mixed"};

template <typename Writer>
void WriteGroup(absl::string_view name, const LoopGroup& group,
                Writer& writer) {
  writer.Begin(name);
  writer.Log("loops", static_cast<double>(group.loops));
  writer.Log("product", group.product);
  writer.Log("innermost", group.innermost);
  // Ansor's code tells none from some.
  for (int place = 0; place < 8; ++place) {
    const int is_at = group.loops == 0 ? 0 : 7;
    writer.Raw(kPlaces[place], place == is_at ? 1 : 0);
  }
}

template <typename Writer>
void WriteComputation(const StatementRow& row, Writer& writer) {
  writer.Begin("ops");
  OpCounts::VisitFields(row.ops, [&](absl::string_view name, int64_t count) {
    writer.Log(name, static_cast<double>(count) * row.executions);
  });
  WriteGroup("vectorized", row.vectorized, writer);
  WriteGroup("unrolled", row.unrolled, writer);
  WriteGroup("parallel", row.parallel, writer);
  writer.Begin("gpu");
  writer.Raw("is_gpu", row.is_gpu ? 1 : 0);
  writer.Log("block_x", row.blocks);
  writer.Log("block_y", 1);
  writer.Log("block_z", 1);
  writer.Log("thread_x", row.threads);
  writer.Log("thread_y", 1);
  writer.Log("thread_z", 1);
  writer.Log("vthread", row.vthreads);
}

template <typename Writer>
void WriteAnsors(const StatementRow& row, Writer& writer) {
  WriteComputation(row, writer);
  for (int b = 0; b < kBufferUses; ++b) {
    writer.Begin("buffer", b);
    WriteBuffer(row.buffers[b], b < row.num_buffers, writer);
  }
  for (int i = 0; i < kIntensityPoints; ++i) {
    writer.Begin("intensity", i);
    writer.Log("ops_per_byte", row.intensity[i]);
  }
  writer.Begin("allocation");
  writer.Log("bytes", row.allocated_bytes);
  writer.Log("elements", row.allocated_elements * row.allocations);
  writer.Log("outer", row.allocations);
  writer.Log("inner", row.executions / row.allocations);
  writer.Begin("nest");
  writer.Log("outer", row.executions);
  writer.Log("loops", static_cast<double>(row.loops));
  writer.Log("copies", row.copies);
}

// What a statement streams ahead of a body of its stage.
struct StreamUse {
  double bytes = 0;  // of a panel
  double step_lines = 0;
  double executions = 0;
};

StreamUse StreamOf(const Program& program, int stage) {
  const Statement* const statement = StreamStatementOf(program, stage);
  if (statement == nullptr) return {};
  const Stream& stream = program.streams[statement->stream];
  return {.bytes = static_cast<double>(StreamedBytes(program, stage)),
          .step_lines = static_cast<double>(stream.step) /
                        static_cast<double>(stream.line),
          .executions = static_cast<double>(statement->executions)};
}

template <typename Writer>
void WriteLocality(const Locality& locality, double executions,
                   Writer& writer) {
  for (int level = 0; level < kCacheLevels; ++level) {
    writer.Begin("cache", level + 1);
    writer.Log("fetched_bytes", locality.fetched_bytes[level]);
    writer.Log("external_bytes", locality.external_bytes[level]);
    writer.Log("fetched_per_execution",
               1024 * locality.fetched_bytes[level] / executions);
    writer.Log("resident_bytes", locality.resident_bytes[level]);
    writer.Log("shortest_run", locality.shortest_run[level]);
  }
  writer.Begin("parallel");
  writer.Log("iterations", locality.parallel_iterations);
  writer.Raw("busy_share", locality.busy_share);
  writer.Begin("registers");
  writer.Raw("accumulators", locality.accumulators);
  writer.Raw("vector_loads", locality.vector_loads);
  writer.Raw("element_loads", locality.element_loads);
  writer.Raw("gathers", locality.gathers);
  writer.Raw("vector_ops", locality.vector_ops);
  writer.Raw("loads_per_op", (locality.vector_loads + locality.element_loads +
                              locality.gathers) /
                                 std::max(1.0, locality.vector_ops));
  writer.Raw("lanes", locality.vector_lanes);
  writer.Begin("nest");
  writer.Raw("overrun", locality.overrun);
}

template <typename Writer>
void WriteCost(const ExpectedCost& cost, Writer& writer) {
  writer.Begin("cost");
  for (int i = 0; i < static_cast<int>(CpuCost::kStarts); ++i) {
    const auto each = static_cast<CpuCost>(i);
    writer.Log(CpuCostName(each), cost.statement[i]);
  }
  writer.Log("stage", cost.stage);
  writer.Log("program", cost.program);
}

template <typename Writer>
void WriteStream(const StreamUse& stream, Writer& writer) {
  writer.Begin("stream");
  writer.Log("bytes", stream.bytes);
  writer.Log("step_lines", stream.step_lines);
  writer.Log("executions", stream.executions);
}

template <typename Writer>
void WriteFlags(const std::array<bool, kTaskFlags>& flags, Writer& writer) {
  writer.Begin("task");
  for (int f = 0; f < kTaskFlags; ++f)
    writer.Raw(kTaskFlagNames[f], flags[f] ? 1 : 0);
}

std::vector<std::string> MakeNames(ColumnSet columns) {
  NameWriter writer;
  WriteAnsors({}, writer);
  if (HasFlags(columns)) WriteFlags({}, writer);
  if (HasOurs(columns)) {
    WriteLocality({}, 1, writer);
    WriteStream({}, writer);
    WriteCost({}, writer);
  }
  return writer.names;
}

}  // namespace

std::string ColumnSetName(ColumnSet columns) {
  return absl::StrCat("statement columns ", kVersion,
                      HasOurs(columns) ? " (all)" : " (Ansor's)",
                      HasFlags(columns) ? ", task flags" : "",
                      HasDataflow(columns) ? ", " : "",
                      HasDataflow(columns) ? DataflowName() : "");
}

const std::vector<std::string>& ColumnNames(ColumnSet columns) {
  static const auto* const kAnsors =
      new std::vector<std::string>(MakeNames(ColumnSet::kAnsor));
  static const auto* const kWithFlags =
      new std::vector<std::string>(MakeNames(ColumnSet::kTenset));
  static const auto* const kAlls =
      new std::vector<std::string>(MakeNames(ColumnSet::kAll));
  if (HasOurs(columns)) return *kAlls;
  return HasFlags(columns) ? *kWithFlags : *kAnsors;
}

ColumnExtractor::ColumnExtractor(ColumnSet columns)
    : columns_(columns),
      dataflow_({.compat_operations = columns == ColumnSet::kPacm}) {}

FeatureRows ColumnExtractor::NoRows() const {
  return {.columns = static_cast<int>(ColumnNames(columns_).size()),
          .program_columns =
              HasDataflow(columns_) ? kDataflowBlocks * kDataflowColumns : 0};
}

void ColumnExtractor::Append(const Program& program, const TargetSpec& target,
                             FeatureRows& rows) {
  footprints_.Compute(program);
  rows_.Compute(program, footprints_);
  if (HasOurs(columns_)) costs_.Compute(program, footprints_, target);
  std::array<bool, kTaskFlags> flags = {};
  if (HasFlags(columns_)) flags = TaskFlagsOf(*program.task);
  values_.clear();
  ValueWriter writer(values_);
  for (size_t r = 0; r < rows_.rows().size(); ++r) {
    const StatementRow& row = rows_.rows()[r];
    WriteAnsors(row, writer);
    if (HasFlags(columns_)) WriteFlags(flags, writer);
    if (!HasOurs(columns_)) continue;
    const int statement = rows_.StatementOf(static_cast<int>(r));
    WriteLocality(LocalityOf(program, footprints_, statement, target),
                  row.executions, writer);
    WriteStream(StreamOf(program, program.statements[statement].stage), writer);
    WriteCost(costs_.Of(statement), writer);
  }
  program_values_.clear();
  if (HasDataflow(columns_)) {
    for (const auto& block : dataflow_.Extract(program))
      program_values_.insert(program_values_.end(), block.begin(), block.end());
  }
  rows.Append(values_, program_values_);
}

}  // namespace pruner
