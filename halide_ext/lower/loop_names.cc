#include "halide_ext/lower/loop_names.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace pruner {
namespace {

using Origin = LoopLabel::Origin;

// A name that says how the loop came about.
std::string Wish(const LoopLabel& label, const std::vector<LoopName>& names) {
  if (label.origin == Origin::kOutermost)
    return Halide::Var::outermost().name();
  std::string base = absl::StrReplaceAll(names[label.base].name, {{"$", "_"}});
  switch (label.origin) {
    case Origin::kAxis:
    case Origin::kOutermost:
      break;
    case Origin::kLevel:
      return absl::StrCat(base, "_", label.number);
    case Origin::kRest:
      return absl::StrCat(base, "_in", label.number);
    case Origin::kFused:
      return absl::StrCat(names[label.base].name, "_", names[label.other].name);
    case Origin::kOne:
      return base + "_one";
    case Origin::kVectors:
      return base + "_u";
    case Origin::kLanes:
      return base + "_v";
    case Origin::kChunks:
      return base + "_p";
    case Origin::kInChunk:
      return base + "_c";
  }
  return base;
}

// Whether all definitions of the stage may have the loop. Others are of one,
// and another one may have a loop of that name.
bool IsOfStage(const LoopLabel& label) {
  switch (label.origin) {
    case Origin::kOutermost:
    case Origin::kVectors:
    case Origin::kLanes:
    case Origin::kChunks:
    case Origin::kInChunk:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::vector<LoopName> NameLoops(const Program& program,
                                const std::vector<FuncBinding>& bindings) {
  std::vector<LoopName> names(program.labels.size());
  std::vector<std::set<std::string>> taken;  // by stage
  for (const FuncBinding& binding : bindings)
    taken.emplace_back(binding.variables.begin(), binding.variables.end());
  for (size_t l = 0; l < names.size(); ++l) {
    const LoopLabel& label = program.labels[l];
    names[l].is_rvar = label.is_reduction;
    const std::vector<std::string>& variables = bindings[label.stage].variables;
    if (label.origin == Origin::kAxis) {
      const size_t number = label.number;
      names[l].name =
          number < variables.size()
              ? variables[number]
              : bindings[label.stage]
                    .own_variables[label.definition][number - variables.size()];
      continue;
    }
    const std::string wish = Wish(label, names);
    std::string name = wish;
    for (int i = 2; taken[label.stage].contains(name); ++i)
      name = absl::StrCat(wish, "_v", i);
    if (IsOfStage(label)) taken[label.stage].insert(name);
    names[l].name = std::move(name);
  }
  return names;
}

}  // namespace pruner
