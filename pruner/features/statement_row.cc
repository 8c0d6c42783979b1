#include "pruner/features/statement_row.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/types/span.h"
#include "pruner/features/footprints.h"
#include "pruner/program/program.h"

namespace pruner {
namespace {

constexpr double kLineBytes = 64;

void AddToGroup(const ProgramLoop& loop, LoopGroup& group) {
  const auto extent = static_cast<double>(loop.extent);
  if (group.loops++ == 0) {
    group.product = 1;
    group.innermost = extent;
  }
  group.product *= extent;
}

bool IsBefore(const BufferUse& a, const BufferUse& b) {
  const auto key = [](const BufferUse& use) {
    return std::make_tuple(use.reuse_distance_bytes, use.unique_bytes,
                           use.unique_lines, use.type);
  };
  return key(a) < key(b);
}

// Value at `x` of the line through points whose x ascend.
double Interpolate(absl::Span<const double> xs, absl::Span<const double> ys,
                   double x) {
  size_t k = 0;
  while (k + 1 < xs.size() && xs[k] < x - 1e-4) ++k;
  if (k == 0 || xs[k] - xs[k - 1] < 1e-9) return ys[k];
  const double share = (x - xs[k - 1]) / (xs[k] - xs[k - 1]);
  return ys[k - 1] + share * (ys[k] - ys[k - 1]);
}

}  // namespace

void StatementRows::Compute(const Program& program,
                            const Footprints& footprints) {
  program_ = &program;
  footprints_ = &footprints;
  rows_.clear();
  statements_.clear();
  for (size_t s = 0; s < program.statements.size(); ++s) {
    if (IsBody(program, static_cast<int>(s))) AddRow(static_cast<int>(s));
  }
}

void StatementRows::AddRow(int s) {
  const Statement& statement = program_->statements[s];
  StatementRow row = {.ops = statement.ops,
                      .executions = static_cast<double>(statement.executions),
                      .copies = static_cast<double>(statement.copies)};
  AddLoops(statement, row);
  AddBuffers(s, row);
  AddIntensity(s, row);
  const Buffer& buffer =
      program_->buffers[program_->stages[statement.stage].buffer];
  row.allocated_elements = static_cast<double>(buffer.elements);
  row.allocated_bytes =
      row.allocated_elements * static_cast<double>(buffer.element_bytes);
  row.allocations =
      static_cast<double>(ExecutionsInside(*program_, buffer.loop));
  rows_.push_back(row);
  statements_.push_back(s);
}

void StatementRows::AddLoops(const Statement& statement,
                             StatementRow& row) const {
  for (int l = statement.loop; l >= 0; l = program_->loops[l].parent) {
    const ProgramLoop& loop = program_->loops[l];
    ++row.loops;
    switch (loop.kind) {
      case LoopKind::kSerial:
        break;
      case LoopKind::kParallel:
        AddToGroup(loop, row.parallel);
        break;
      case LoopKind::kVectorized:
        AddToGroup(loop, row.vectorized);
        break;
      case LoopKind::kUnrolled:
        AddToGroup(loop, row.unrolled);
        break;
      case LoopKind::kVThread:
        row.vthreads *= static_cast<double>(loop.extent);
        break;
      case LoopKind::kBlock:
        row.blocks *= static_cast<double>(loop.extent);
        row.is_gpu = true;
        break;
      case LoopKind::kThread:
        row.threads *= static_cast<double>(loop.extent);
        row.is_gpu = true;
        break;
    }
  }
}

void StatementRows::AddBuffers(int s, StatementRow& row) {
  const Statement& statement = program_->statements[s];
  uses_.clear();
  for (int a = 0; a < statement.num_accesses; ++a) {
    uses_.push_back(UseOf(s, statement.first_access + a));
  }
  std::sort(uses_.begin(), uses_.end(), IsBefore);
  row.num_buffers = std::min<int>(kBufferUses, static_cast<int>(uses_.size()));
  std::copy_n(uses_.begin(), row.num_buffers, row.buffers.begin());
}

BufferUse StatementRows::UseOf(int s, int a) const {
  const ProgramAccess& access = program_->accesses[a];
  const Buffer& buffer = program_->buffers[access.buffer];
  const absl::Span<const int> loops = footprints_->LoopsAround(s);
  const absl::Span<const Footprint> footprints = footprints_->Of(a);
  const auto element = static_cast<double>(buffer.element_bytes);
  const auto executions =
      static_cast<double>(program_->statements[s].executions);
  BufferUse use;
  if (access.is_write) {
    use.type = program_->statements[s].definition > 0
                   ? BufferUse::Type::kReadWrite
                   : BufferUse::Type::kWrite;
  }
  use.bytes = executions * element;
  use.unique_bytes = footprints.back().elements * element;
  use.stride = loops.empty() ? 0 : footprints[1].stride;
  // The innermost loop that moves it, and what those inside repeat, as Ansor
  // has it: each as often as the innermost one.
  double stride = 0, repeats = 1;
  for (size_t k = 0; k < loops.size() && stride == 0; ++k) {
    stride = footprints[k + 1].stride;
    if (stride == 0)
      repeats *= static_cast<double>(program_->loops[loops[0]].extent);
  }
  use.lines = std::max(
      1.0, executions / repeats * std::min(1.0, stride * element / kLineBytes));
  use.unique_lines =
      std::max(1.0, use.unique_bytes /
                        std::min(footprints.back().run * element, kLineBytes));
  FindReuse(s, a, use);
  return use;
}

double StatementRows::ExecutionBytes(const Statement& statement) const {
  int64_t bytes = 0;
  for (int a = 0; a < statement.num_accesses; ++a) {
    const ProgramAccess& access =
        program_->accesses[statement.first_access + a];
    bytes += program_->buffers[access.buffer].element_bytes;
  }
  return static_cast<double>(bytes);
}

void StatementRows::FindReuse(int s, int a, BufferUse& use) const {
  const int buffer = program_->accesses[a].buffer;
  const absl::Span<const int> loops = footprints_->LoopsAround(s);
  const absl::Span<const Footprint> footprints = footprints_->Of(a);
  use.reuse_distance_iterations = 1;
  use.reuse_distance_bytes = ExecutionBytes(program_->statements[s]);
  for (size_t k = 0; k < loops.size(); ++k) {
    const auto extent = static_cast<double>(program_->loops[loops[k]].extent);
    if (footprints[k + 1].stride == 0) {
      use.reuse = BufferUse::Reuse::kLoopMultipleRead;
      use.reuse_count = 1;
      for (; k < loops.size() && footprints[k + 1].stride == 0; ++k)
        use.reuse_count *=
            static_cast<double>(program_->loops[loops[k]].extent);
      return;
    }
    if (IsTouchedBefore(s, buffer, loops[k])) {
      use.reuse = BufferUse::Reuse::kSerialMultipleReadWrite;
      use.reuse_distance_iterations = footprints[k + 1].elements / extent;
      use.reuse_distance_bytes = footprints_->BytesIn(loops[k]) / extent;
      use.reuse_count = extent;
      for (size_t o = k + 1; o < loops.size(); ++o)
        use.reuse_count *=
            static_cast<double>(program_->loops[loops[o]].extent);
      return;
    }
    use.reuse_distance_iterations *= extent;
    use.reuse_distance_bytes = footprints_->BytesIn(loops[k]);
  }
  use.reuse_distance_iterations = 0;
  use.reuse_distance_bytes = 0;
}

bool StatementRows::IsTouchedBefore(int s, int buffer, int loop) const {
  for (int other = s - 1; other >= 0; --other) {
    const Statement& statement = program_->statements[other];
    const absl::Span<const int> loops = footprints_->LoopsAround(other);
    if (std::find(loops.begin(), loops.end(), loop) == loops.end())
      return false;
    // What begins the same reduction is no use of its own.
    if (statement.stage == program_->statements[s].stage) continue;
    for (int a = 0; a < statement.num_accesses; ++a) {
      if (program_->accesses[statement.first_access + a].buffer == buffer)
        return true;
    }
  }
  return false;
}

void StatementRows::AddIntensity(int s, StatementRow& row) {
  const Statement& statement = program_->statements[s];
  auto ops = static_cast<double>(statement.ops.Flops());
  if (ops <= 0) return;
  const absl::Span<const int> loops = footprints_->LoopsAround(s);
  log_ops_.clear();
  log_bytes_.clear();
  for (size_t k = 0; k <= loops.size(); ++k) {
    if (k > 0) ops *= static_cast<double>(program_->loops[loops[k - 1]].extent);
    double bytes = 0;
    for (int a = 0; a < statement.num_accesses; ++a) {
      const int access = statement.first_access + a;
      const Buffer& buffer =
          program_->buffers[program_->accesses[access].buffer];
      bytes += footprints_->Of(access)[k].elements *
               static_cast<double>(buffer.element_bytes);
    }
    log_ops_.push_back(std::log2(ops));
    log_bytes_.push_back(log_ops_.back() - std::log2(std::max(bytes, 1.0)));
  }
  for (int i = 0; i < kIntensityPoints; ++i) {
    const double x = log_ops_.back() * (i + 1) / kIntensityPoints;
    row.intensity[i] = Interpolate(log_ops_, log_bytes_, x);
  }
}

}  // namespace pruner
