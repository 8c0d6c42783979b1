#include "halide_ext/analyze/stage_reads.h"

#include <algorithm>
#include <utility>

namespace pruner {
namespace {

using namespace Halide::Internal;

// Of one stage; there is nothing to be learned from more.
constexpr size_t kManyGathers = 64;

bool IsGather(const Access& access) {
  return std::any_of(access.indices.begin(), access.indices.end(),
                     [](const IndexExpr& index) { return index.opaque; });
}

}  // namespace

void StageReads::Add(const Function& function,
                     const ResolvedDefinition& definition, bool initialization,
                     const AxisVariables& variables) {
  place_of_.clear();
  gathers_.clear();
  for (const Halide::Expr& e : definition.Calls()) {
    const Call* call = e.as<Call>();
    if (call->name == function.name()) continue;
    const std::string& source = regions_.Resolve(call->name);
    const std::vector<Access> accesses =
        AccessesOf(*call, source, initialization, variables);
    int& place = place_of_.emplace(call, -1).first->second;
    // Indices that nobody knows look alike, and are not alike for that.
    if (IsGather(accesses[0])) {
      place = FindGather(*call);
      if (place >= 0) continue;
      if (gathers_.size() < kManyGathers) {
        gathers_.push_back(call);
        place = static_cast<int>(stage_.reads.size());
        stage_.reads.insert(stage_.reads.end(), accesses.begin(),
                            accesses.end());
        continue;
      }
    }
    place = AddOnce(accesses[0]);
    for (size_t i = 1; i < accesses.size(); ++i) AddOnce(accesses[i]);
  }
}

int StageReads::AddExtern(const Halide::ExternFuncArgument& argument,
                          const std::vector<Stage>& stages) {
  std::string source;
  if (argument.is_func()) source = Function(argument.func).name();
  if (argument.is_buffer()) source = argument.buffer.name();
  if (argument.is_image_param()) source = argument.image_param.name();
  if (source.empty()) return -1;
  const int stage_read = stage_of_.at(source);
  IndexExpr any;
  any.opaque = true;
  return AddOnce({.stage = stage_read,
                  .indices = std::vector<IndexExpr>(
                      stages[stage_read].shape.size(), any)});
}

ReadSite StageReads::SiteOf(const Call& call) const {
  ReadSite site = {.access = place_of_.at(&call)};
  for (const Range& range : regions_.regions.at(regions_.Resolve(call.name)))
    site.mins.push_back(range.min);
  return site;
}

// One, or, for an index that stands for its smallest and largest value, one for
// each of these.
std::vector<Access> StageReads::AccessesOf(
    const Call& call, const std::string& source, bool initialization,
    const AxisVariables& variables) const {
  const Region& region = regions_.regions.at(source);
  std::vector<Access> accesses = {{.stage = stage_of_.at(source),
                                   .indices = {},
                                   .by_initialization = initialization}};
  for (size_t d = call.args.size(); d-- > 0;) {
    const std::vector<IndexExpr> ends =
        ToIndexExprs(call.args[d], variables, region[d].min);
    std::vector<Access> longer;
    for (const IndexExpr& end : ends) {
      for (const Access& access : accesses) {
        longer.push_back(access);
        longer.back().indices.push_back(end);
      }
    }
    accesses = std::move(longer);
  }
  return accesses;
}

int StageReads::AddOnce(const Access& access) {
  const auto found =
      std::find(stage_.reads.begin(), stage_.reads.end(), access);
  const auto place = static_cast<int>(found - stage_.reads.begin());
  if (found == stage_.reads.end()) stage_.reads.push_back(access);
  return place;
}

int StageReads::FindGather(const Call& call) const {
  for (const Call* other : gathers_) {
    if (graph_equal(*other, call)) return place_of_.at(other);
  }
  return -1;
}

}  // namespace pruner
