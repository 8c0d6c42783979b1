#include "halide_ext/passes/private_elements.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "halide_ext/passes/linear_form.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;

// No device has more threads in a block; schedules that do fail elsewhere.
constexpr int64_t kMaxThreads = 1024;

// The constants c of an index, one per lane.
using Offsets = std::vector<int64_t>;
using OffsetsOfIndices = std::map<Expr, Offsets, ir::IRDeepCompare>;
// Values of the thread variables.
using Thread = std::map<std::string, Expr>;

std::string ToText(const Expr& expr) {
  std::ostringstream text;
  text << expr;
  return text.str();
}

std::string ToText(const Thread& thread) {
  return absl::StrJoin(thread, ", ", [](std::string* out, const auto& entry) {
    absl::StrAppend(out, entry.first, " = ", ToText(entry.second));
  });
}

Expr Lane(const Expr& index, int lane) {
  return index.type().is_scalar() ? index : ir::extract_lane(index, lane);
}

bool MentionsThread(const Expr& expr, const std::vector<ThreadLoop>& threads) {
  const Mentions mentions = MentionsOf(expr);
  return std::any_of(threads.begin(), threads.end(),
                     [&](const ThreadLoop& thread) {
                       return mentions.variables.count(thread.name) > 0;
                     });
}

// The constants of `index`. A failed precondition if the threads that it gives
// elements to are not those to which `base` does.
absl::StatusOr<Offsets> OffsetsOf(const Expr& index, const LinearForm& base,
                                  const std::vector<ThreadLoop>& threads) {
  Offsets offsets;
  for (int lane = 0; lane < index.type().lanes(); ++lane) {
    const LinearForm difference =
        Difference(LinearFormOf(Lane(index, lane)), base);
    if (!difference.terms.empty()) {
      const std::string message =
          absl::StrCat("indices ", ToText(index), " and ", ToText(ToExpr(base)),
                       " differ by ", ToText(ToExpr(difference)));
      return MentionsThread(ToExpr(difference), threads)
                 ? absl::FailedPreconditionError(absl::StrCat(
                       message, ", so that threads use elements of others"))
                 : absl::InvalidArgumentError(
                       absl::StrCat(message, ", which is no constant"));
    }
    offsets.push_back(difference.constant);
  }
  return offsets;
}

absl::StatusOr<OffsetsOfIndices> OffsetsOfAll(const ExpandedIndices& expanded,
                                              const LinearForm& base) {
  OffsetsOfIndices offsets;
  for (const auto& [index, guards] : expanded.indices) {
    ASSIGN_OR_RETURN(offsets[index], OffsetsOf(index, base, expanded.threads));
  }
  return offsets;
}

// All threads of a block.
absl::StatusOr<std::vector<Thread>> EnumerateThreads(
    const std::vector<ThreadLoop>& loops) {
  std::vector<Thread> threads = {{}};
  for (const ThreadLoop& loop : loops) {
    const std::optional<int64_t> min = ir::as_const_int(loop.min);
    const std::optional<int64_t> extent = ir::as_const_int(loop.extent);
    if (!min.has_value() || !extent.has_value() ||
        *extent * static_cast<int64_t>(threads.size()) > kMaxThreads) {
      return absl::InvalidArgumentError(
          absl::StrCat("thread loop ", loop.name, " has ", ToText(loop.extent),
                       " iterations, not a constant up to ", kMaxThreads,
                       " threads in all"));
    }
    std::vector<Thread> longer;
    for (const Thread& thread : threads) {
      for (int64_t i = *min; i < *min + *extent; ++i) {
        longer.push_back(thread);
        longer.back().emplace(loop.name, static_cast<int>(i));
      }
    }
    threads = std::move(longer);
  }
  return threads;
}

// base(thread) - base(first thread), for all threads.
absl::StatusOr<std::vector<int64_t>> PositionsOf(
    const LinearForm& base, const std::vector<Thread>& threads) {
  const auto at = [&](const Thread& thread) {
    return LinearFormOf(ir::simplify(ir::substitute(thread, ToExpr(base))));
  };
  const LinearForm first = at(threads.front());
  std::vector<int64_t> positions;
  for (const Thread& thread : threads) {
    const LinearForm position = Difference(at(thread), first);
    if (!position.terms.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "how far index ", ToText(ToExpr(base)),
          " differs from thread to thread depends on more than the thread"));
    }
    positions.push_back(position.constant);
  }
  return positions;
}

// The part of `base` that depends on the thread.
LinearForm ThreadPart(const LinearForm& base,
                      const std::vector<ThreadLoop>& threads) {
  LinearForm part;
  for (const auto& [term, factor] : base.terms) {
    if (MentionsThread(term, threads)) part.terms[term] = factor;
  }
  return part;
}

// Whether a thread may get past each of these conditions.
std::map<Expr, std::vector<bool>, ir::IRDeepCompare> ActiveThreads(
    const ExpandedIndices& expanded, const std::vector<Thread>& threads) {
  std::map<Expr, std::vector<bool>, ir::IRDeepCompare> active;
  for (const auto& [index, guards] : expanded.indices) {
    for (const Expr& guard : guards) {
      std::vector<bool>& entry = active[guard];
      if (!entry.empty()) continue;
      if (ir::is_const_one(guard)) {
        entry.assign(threads.size(), true);
        continue;
      }
      for (const Thread& thread : threads) {
        entry.push_back(
            !ir::is_const_zero(ir::simplify(ir::substitute(thread, guard))));
      }
    }
  }
  return active;
}

// No error if no two threads use the same element.
absl::Status CheckOwnership(const ExpandedIndices& expanded,
                            const OffsetsOfIndices& offsets,
                            const std::vector<Thread>& threads,
                            const std::vector<int64_t>& positions) {
  std::map<Expr, std::set<int64_t>, ir::IRDeepCompare> offsets_under;
  for (const auto& [index, guards] : expanded.indices) {
    const Offsets& used = offsets.at(index);
    for (const Expr& guard : guards) {
      offsets_under[guard].insert(used.begin(), used.end());
    }
  }
  absl::flat_hash_map<int64_t, size_t> owners;
  for (const auto& [guard, active] : ActiveThreads(expanded, threads)) {
    for (size_t i = 0; i < threads.size(); ++i) {
      if (!active[i]) continue;
      for (const int64_t offset : offsets_under.at(guard)) {
        const size_t owner =
            owners.try_emplace(positions[i] + offset, i).first->second;
        if (owner == i) continue;
        return absl::InvalidArgumentError(absl::StrCat(
            "threads (", ToText(threads[owner]), ") and (", ToText(threads[i]),
            ") use the same element, but each has a copy of its own"));
      }
    }
  }
  return absl::OkStatus();
}

// What to use instead of each index.
absl::Status Compact(const OffsetsOfIndices& offsets, PrivateElements& result) {
  std::map<int64_t, int> places;
  for (const auto& [index, constants] : offsets) {
    for (const int64_t constant : constants) places[constant] = 0;
  }
  result.count = 0;
  for (auto& [constant, place] : places) place = result.count++;
  for (const auto& [index, constants] : offsets) {
    const int first = places.at(constants.front());
    for (size_t lane = 0; lane < constants.size(); ++lane) {
      if (places.at(constants[lane]) == first + static_cast<int>(lane)) {
        continue;
      }
      return absl::InvalidArgumentError(
          absl::StrCat("index ", ToText(index),
                       " is a vector of elements that are not "
                       "neighbours"));
    }
    const Expr start = first;
    result.indices[index] =
        index.type().is_scalar()
            ? start
            : ir::Ramp::make(start, 1, static_cast<int>(constants.size()));
  }
  return absl::OkStatus();
}

}  // namespace

PrivateElements FindPrivateElements(const std::string& allocation,
                                    const ExpandedIndices& expanded) {
  PrivateElements result;
  if (expanded.indices.empty()) return result;
  const auto refuse = [&](RefusalKind kind, const absl::Status& status) {
    result.refusal = Refusal{.kind = kind,
                             .allocation = allocation,
                             .reason = std::string(status.message())};
    return result;
  };
  const LinearForm base =
      LinearFormOf(Lane(expanded.indices.begin()->first, 0));
  const absl::StatusOr<OffsetsOfIndices> offsets = OffsetsOfAll(expanded, base);
  if (!offsets.ok()) {
    return refuse(absl::IsFailedPrecondition(offsets.status())
                      ? RefusalKind::kSharedByThreads
                      : RefusalKind::kIndexVaries,
                  offsets.status());
  }
  const LinearForm thread_part = ThreadPart(base, expanded.threads);
  result.thread_dependent = !thread_part.terms.empty();
  if (!result.thread_dependent) return result;
  const absl::StatusOr<std::vector<Thread>> all =
      EnumerateThreads(expanded.threads);
  if (!all.ok()) return refuse(RefusalKind::kIndexVaries, all.status());
  const absl::StatusOr<std::vector<int64_t>> positions =
      PositionsOf(thread_part, *all);
  if (!positions.ok()) {
    return refuse(RefusalKind::kIndexVaries, positions.status());
  }
  const absl::Status owned =
      CheckOwnership(expanded, *offsets, *all, *positions);
  if (!owned.ok()) return refuse(RefusalKind::kSharedByThreads, owned);
  const absl::Status compact = Compact(*offsets, result);
  if (!compact.ok()) return refuse(RefusalKind::kIndexVaries, compact);
  return result;
}

}  // namespace pruner
