#include "pruner/features/locality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "pruner/base/factors.h"
#include "pruner/features/footprints.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

bool IsInstruction(LoopKind kind) {
  return kind == LoopKind::kVectorized || IsUnrolled(kind);
}

class Finder {
 public:
  Finder(const Program& program, const Footprints& footprints, int statement,
         const TargetSpec& target)
      : program_(program),
        footprints_(footprints),
        target_(target),
        statement_(program.statements[statement]),
        loops_(footprints.LoopsAround(statement)) {}

  Locality Find() {
    const std::array<const MemoryLevel*, kCacheLevels> levels = {
        &target_.l1, &target_.l2, &target_.llc};
    for (int i = 0; i < kCacheLevels; ++i) AddLevel(i, *levels[i]);
    AddParallel();
    AddRegisters();
    AddOverrun();
    return locality_;
  }

 private:
  const ProgramAccess& AccessAt(int a) const {
    return program_.accesses[statement_.first_access + a];
  }

  void AddLevel(int i, const MemoryLevel& level) {
    const auto size = static_cast<double>(level.size_bytes);
    // The number of loops that run inside of what fits.
    size_t k = 0;
    while (k < loops_.size() && footprints_.BytesIn(loops_[k]) <= size) ++k;
    locality_.resident_bytes[i] =
        k > 0 ? footprints_.BytesIn(loops_[k - 1]) : 0;
    double entered = 1;
    for (size_t outer = k; outer < loops_.size(); ++outer)
      entered *= static_cast<double>(program_.loops[loops_[outer]].extent);
    const double line = std::max<double>(1, level.line_bytes);
    locality_.shortest_run[i] = size;
    for (int a = 0; a < statement_.num_accesses; ++a) {
      const Buffer& buffer = program_.buffers[AccessAt(a).buffer];
      const Footprint& footprint =
          footprints_.Of(statement_.first_access + a)[k];
      const auto element = static_cast<double>(buffer.element_bytes);
      const double run = footprint.run * element;
      const double runs = footprint.elements / footprint.run;
      const double bytes = runs * std::ceil(run / line) * line * entered;
      locality_.fetched_bytes[i] += bytes;
      if (buffer.is_external) locality_.external_bytes[i] += bytes;
      locality_.shortest_run[i] = std::min(locality_.shortest_run[i], run);
    }
  }

  void AddParallel() {
    for (const int l : loops_) {
      const ProgramLoop& loop = program_.loops[l];
      if (loop.kind == LoopKind::kParallel || loop.kind == LoopKind::kBlock)
        locality_.parallel_iterations *= static_cast<double>(loop.extent);
    }
    const auto cores = static_cast<double>(target_.units.cores);
    locality_.busy_share =
        locality_.parallel_iterations /
        (std::ceil(locality_.parallel_iterations / cores) * cores);
  }

  void AddRegisters() {
    const auto element = program_.buffers[AccessAt(0).buffer].element_bytes;
    const auto lanes = static_cast<double>(
        std::max<int64_t>(1, target_.registers.bytes / element));
    size_t k = 0;
    double executions = 1;
    for (; k < loops_.size(); ++k) {
      const ProgramLoop& loop = program_.loops[loops_[k]];
      if (!IsInstruction(loop.kind)) break;
      executions *= static_cast<double>(loop.extent);
      if (loop.kind == LoopKind::kVectorized)
        locality_.vector_lanes *= static_cast<double>(loop.extent);
    }
    const double vectors_per_step =
        std::max(1.0, std::ceil(locality_.vector_lanes / lanes)) /
        locality_.vector_lanes;
    locality_.vector_ops = executions * vectors_per_step;
    for (int a = 0; a < statement_.num_accesses; ++a) {
      const int access = statement_.first_access + a;
      const absl::Span<const Footprint> footprints = footprints_.Of(access);
      const double elements = footprints[k].elements;
      if (AccessAt(a).is_write) {
        locality_.accumulators = elements * vectors_per_step;
      } else if (locality_.vector_lanes > 1 && footprints[1].stride == 1) {
        locality_.vector_loads += elements * vectors_per_step;
      } else if (locality_.vector_lanes > 1 && footprints[1].stride > 1) {
        locality_.gathers += elements;
      } else {
        locality_.element_loads += elements;
      }
    }
  }

  void AddOverrun() {
    // Of each axis, what the stage's own loops step through.
    const ProgramStage& stage = program_.stages[statement_.stage];
    const Stage& declared = program_.dag->stage(statement_.stage);
    double executed = 1, needed = 1;
    for (const int l : loops_) {
      const ProgramLoop& loop = program_.loops[l];
      if (loop.stage == statement_.stage)
        executed *= static_cast<double>(loop.extent);
    }
    for (size_t axis = 0; axis < declared.axes.size(); ++axis) {
      needed *= static_cast<double>(
          program_.axis_extents[stage.first_axis + static_cast<int>(axis)]);
    }
    locality_.overrun = executed > needed ? executed / needed - 1 : 0;
  }

  const Program& program_;
  const Footprints& footprints_;
  const TargetSpec& target_;
  const Statement& statement_;
  const absl::Span<const int> loops_;
  Locality locality_;
};

}  // namespace

Locality LocalityOf(const Program& program, const Footprints& footprints,
                    int statement, const TargetSpec& target) {
  return Finder(program, footprints, statement, target).Find();
}

}  // namespace pruner
