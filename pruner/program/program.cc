#include "pruner/program/program.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace pruner {
namespace {

const char* StorageName(Storage storage) {
  switch (storage) {
    case Storage::kDefault:
      return "";
    case Storage::kRegister:
      return " in registers";
    case Storage::kShared:
      return " in shared memory";
    case Storage::kStack:
      return " on the stack";
    case Storage::kHeap:
      return " on the heap";
  }
  return "";
}

std::string SlideText(const ProgramStage& stage) {
  if (stage.slide_dimension < 0) return "";
  return absl::StrCat(", slides, ", stage.early_iterations,
                      " iterations ahead");
}

std::string ShareText(const Program& program, const ProgramLoop& loop) {
  const std::vector<Axis>& axes = program.dag->stage(loop.stage).axes;
  std::vector<std::string> shares;
  for (int s = 0; s < loop.num_shares; ++s) {
    const LoopShare& share = program.shares[loop.first_share + s];
    const std::string name =
        share.axis < static_cast<int>(axes.size())
            ? axes[share.axis].name
            : absl::StrCat("r", share.axis - static_cast<int>(axes.size()));
    shares.push_back(share.stride == 1 ? name
                                       : absl::StrCat(name, "*", share.stride));
  }
  std::string text = absl::StrJoin(shares, "@");
  if (loop.step != 1) absl::StrAppend(&text, " by ", loop.step);
  return text;
}

std::string LoopText(const Program& program, const ProgramLoop& loop) {
  return absl::StrCat(LoopKindName(loop.kind), " ", ShareText(program, loop),
                      " (", loop.varies ? "<=" : "", loop.extent, ")",
                      loop.overruns ? " guarded" : "");
}

std::string AccessText(const Program& program, const ProgramAccess& access) {
  const Buffer& buffer = program.buffers[access.buffer];
  return absl::StrCat(
      program.dag->stage(buffer.stage).name, "[",
      access.opaque_dimensions != 0 ? "somewhere, " : "",
      access.count > 1 ? absl::StrCat(access.count, " times, ") : "", "stride ",
      access.stride, ", lines ", access.lines, "]");
}

const char* DefinitionName(const Statement& statement) {
  if (statement.is_initialization) return "initial";
  return statement.definition > 0 ? "update" : "pure";
}

std::string StreamText(const Program& program, const Stream& stream) {
  std::vector<std::string> runs;
  for (int r = stream.num_runs - 1; r >= 0; --r) {
    const StreamRun& run = program.runs[stream.first_run + r];
    runs.push_back(run.stride == 1
                       ? absl::StrCat(run.extent)
                       : absl::StrCat(run.extent, " by ", run.stride));
  }
  return absl::StrCat(
      "stream ", program.dag->stage(program.buffers[stream.buffer].stage).name,
      " for the next ", ShareText(program, program.loops[stream.loop]), ": ",
      stream.step, " of ", absl::StrJoin(runs, " x "));
}

std::string StatementText(const Program& program, const Statement& statement) {
  if (statement.stream >= 0)
    return StreamText(program, program.streams[statement.stream]);
  const auto access = [&](int a) {
    return AccessText(program, program.accesses[statement.first_access + a]);
  };
  std::vector<std::string> reads;
  for (int a = 1; a < statement.num_accesses; ++a) reads.push_back(access(a));
  std::string ops = ToString(statement.ops);
  if (!ops.empty()) ops = " " + ops;
  if (statement.done_anew < 1)
    absl::StrAppendFormat(&ops, " (%.2f anew)", statement.done_anew);
  if (const IntegerWork& work = statement.integer_work; work.operations > 0) {
    absl::StrAppend(&ops, " (integers: ", work.operations, " of ", work.bytes,
                    " bytes)");
  }
  return absl::StrCat(access(0), " = ", DefinitionName(statement), "(",
                      absl::StrJoin(reads, ", "), ")", ops);
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string Print() && {
    for (const Buffer& buffer : program_.buffers) {
      if (buffer.loop < 0) PrintBuffer(buffer, 0);
    }
    for (const Statement& statement : program_.statements)
      PrintStatement(statement);
    return std::move(text_);
  }

 private:
  void Line(size_t indent, absl::string_view what) {
    absl::StrAppend(&text_, std::string(2 * indent, ' '), what, "\n");
  }

  void PrintBuffer(const Buffer& buffer, size_t indent) {
    std::string dimensions;
    for (int d = 0; d < buffer.num_dimensions; ++d) {
      absl::StrAppend(&dimensions, d > 0 ? "," : "",
                      program_.dimensions[buffer.first_dimension + d].extent);
    }
    Line(indent, absl::StrCat("buffer ", program_.dag->stage(buffer.stage).name,
                              "[", dimensions, "] of ", buffer.element_bytes,
                              " bytes", StorageName(buffer.storage),
                              SlideText(program_.stages[buffer.stage]),
                              buffer.is_external ? ", the caller's" : ""));
  }

  // Loops that are open already are not printed again.
  void PrintStatement(const Statement& statement) {
    std::vector<int> chain;
    for (int loop = statement.loop; loop >= 0;
         loop = program_.loops[loop].parent)
      chain.insert(chain.begin(), loop);
    size_t common = 0;
    while (common < chain.size() && common < open_.size() &&
           chain[common] == open_[common])
      ++common;
    for (size_t i = common; i < chain.size(); ++i) {
      Line(i, LoopText(program_, program_.loops[chain[i]]));
      for (const Buffer& buffer : program_.buffers) {
        if (buffer.loop == chain[i]) PrintBuffer(buffer, i + 1);
      }
    }
    Line(chain.size(), StatementText(program_, statement));
    open_ = std::move(chain);
  }

  const Program& program_;
  std::vector<int> open_;  // loops
  std::string text_;
};

}  // namespace

const char* LoopKindName(LoopKind kind) {
  switch (kind) {
    case LoopKind::kSerial:
      return "for";
    case LoopKind::kParallel:
      return "parallel";
    case LoopKind::kVectorized:
      return "vector";
    case LoopKind::kUnrolled:
      return "unrolled";
    case LoopKind::kVThread:
      return "vthread";
    case LoopKind::kBlock:
      return "block";
    case LoopKind::kThread:
      return "thread";
  }
  return "";
}

void Program::Clear() {
  stages.clear();
  statements.clear();
  loops.clear();
  shares.clear();
  accesses.clear();
  terms.clear();
  streams.clear();
  runs.clear();
  buffers.clear();
  dimensions.clear();
  axis_extents.clear();
  labels.clear();
  transforms.clear();
  marks.clear();
  orders.clear();
}

const Statement* StreamStatementOf(const Program& program, int stage) {
  for (const Statement& statement : program.statements) {
    if (statement.stage == stage && statement.stream >= 0) return &statement;
  }
  return nullptr;
}

std::string Program::ToString() const { return Printer(*this).Print(); }

}  // namespace pruner
