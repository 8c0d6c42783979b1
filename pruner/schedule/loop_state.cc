#include "pruner/schedule/loop_state.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

std::string Levels(uint32_t path) {
  std::string levels;
  for (; path != 0; path >>= 4)
    levels = absl::StrCat(".", (path & 15) - 1, levels);
  return levels;
}

std::string PartName(const Stage& stage, const LoopPart& part) {
  return stage.axes[part.axis].name + Levels(part.path);
}

const char* Prefix(Annotation annotation) {
  switch (annotation) {
    case Annotation::kNone:
      return "for";
    case Annotation::kParallel:
      return "parallel";
    case Annotation::kVectorize:
      return "vectorize";
    case Annotation::kUnroll:
      return "unroll";
    case Annotation::kBlock:
      return "block";
    case Annotation::kVThread:
      return "vthread";
    case Annotation::kThread:
      return "thread";
  }
  return "";
}

const char* StorageName(Storage storage) {
  switch (storage) {
    case Storage::kDefault:
      return "default storage";
    case Storage::kRegister:
      return "registers";
    case Storage::kShared:
      return "shared memory";
    case Storage::kStack:
      return "the stack";
    case Storage::kHeap:
      return "the heap";
  }
  return "";
}

std::string StorageOrderText(const Stage& stage,
                             const std::vector<int64_t>& order) {
  return absl::StrJoin(order, "", [&](std::string* out, int64_t dimension) {
    absl::StrAppend(out, "[", stage.axes[dimension].name, "]");
  });
}

// Appends the nest of `stage` and, inside its loops, what is computed there.
void AppendNest(const LoopState& state, int stage, int indent,
                std::string& text) {
  const Stage& s = state.dag->stage(stage);
  const StageState& loops = state.stages[stage];
  const auto line = [&](const auto&... what) {
    absl::StrAppend(&text, std::string(2 * indent, ' '), what..., "\n");
  };
  if (loops.auto_unroll_max_step > 0) {
    line("# ", s.name, " auto_unroll ", loops.auto_unroll_max_step);
  }
  if (loops.slides) line("# ", s.name, " slides");
  if (loops.storage != Storage::kDefault)
    line("# ", s.name, " in ", StorageName(loops.storage));
  if (loops.IsPacked())
    line("# ", s.name, " stored as ", StorageOrderText(s, loops.storage_order));
  for (size_t i = 0; i < loops.iterators.size(); ++i) {
    const Iterator& iterator = loops.iterators[i];
    const std::vector<int> attached =
        AttachedAt(state, stage, static_cast<int>(i));
    if (iterator.extent != 1 || !attached.empty()) {
      line(Prefix(iterator.annotation), " ", IteratorName(s, iterator), " (",
           iterator.extent == 0 ? "?" : absl::StrCat(iterator.extent), ")");
      ++indent;
    }
    for (int producer : attached) AppendNest(state, producer, indent, text);
  }
  line(s.name, " = …");
}

}  // namespace

std::string IteratorName(const Stage& stage, const Iterator& iterator) {
  std::string parts = absl::StrJoin(
      iterator.parts, "@", [&](std::string* out, const LoopPart& part) {
        out->append(PartName(stage, part));
      });
  if (iterator.path == 0) return parts;
  return absl::StrCat("(", parts, ")", Levels(iterator.path));
}

int64_t Iterator::ExtentOfParts() const {
  int64_t product = 1;
  for (const LoopPart& part : parts) product *= part.extent;
  const int64_t steps = CeilDiv(product, stride);
  return limit > 0 ? std::min(limit, steps) : steps;
}

bool StageState::HasLoop(Annotation annotation) const {
  return std::any_of(iterators.begin(), iterators.end(),
                     [&](const Iterator& iterator) {
                       return iterator.annotation == annotation;
                     });
}

std::vector<int> AttachedAt(const LoopState& state, int stage, int iterator) {
  std::vector<int> attached;
  for (size_t i = 0; i < state.stages.size(); ++i) {
    const StageState& s = state.stages[i];
    if (s.location == ComputeLocation::kAt && s.at_stage == stage &&
        s.at_iterator == iterator) {
      attached.push_back(static_cast<int>(i));
    }
  }
  return attached;
}

std::string LoopState::ToString() const {
  std::string text;
  for (int i = 0; i < dag->size(); ++i) {
    if (dag->stage(i).kind == StageKind::kPlaceholder) continue;
    if (stages[i].location == ComputeLocation::kRoot)
      AppendNest(*this, i, 0, text);
    if (stages[i].location == ComputeLocation::kInlined) {
      absl::StrAppend(&text, dag->stage(i).name, " inlined\n");
    }
  }
  return text;
}

}  // namespace pruner
