#include "pruner/schedule/loop_state.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace pruner {
namespace {

std::string PartName(const Stage& stage, const LoopPart& part) {
  std::string levels;
  for (uint32_t path = part.path; path != 0; path >>= 4) {
    levels = absl::StrCat(".", (path & 15) - 1, levels);
  }
  return stage.axes[part.axis].name + levels;
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
  }
  return "";
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
  return absl::StrJoin(iterator.parts, "@",
                       [&](std::string* out, const LoopPart& part) {
                         out->append(PartName(stage, part));
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
