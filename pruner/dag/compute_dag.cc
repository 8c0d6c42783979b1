#include "pruner/dag/compute_dag.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status CheckAxes(const Stage& stage) {
  const auto error = [&](const auto&... what) {
    return absl::InvalidArgumentError(
        absl::StrCat("stage '", stage.name, "': ", what...));
  };
  for (int64_t extent : stage.shape) {
    if (extent < 1) return error("extent ", extent, " is not positive");
  }
  if (stage.kind == StageKind::kPlaceholder) {
    if (!stage.axes.empty() || !stage.reads.empty()) {
      return error("a placeholder has neither axes nor reads");
    }
    return absl::OkStatus();
  }
  if (stage.axes.size() < stage.shape.size())
    return error("has fewer axes than dimensions");
  for (size_t i = 0; i < stage.axes.size(); ++i) {
    const Axis& axis = stage.axes[i];
    const bool spatial = i < stage.shape.size();
    if ((axis.kind == AxisKind::kSpatial) != spatial) {
      return error("axis '", axis.name,
                   "' is out of order: spatial axes come first");
    }
    if (axis.extent < 1 || (spatial && axis.extent != stage.shape[i])) {
      return error("axis '", axis.name, "' has extent ", axis.extent,
                   ", which does not fit the shape");
    }
  }
  return absl::OkStatus();
}

// Beyond this, nothing ends in a lifetime; sums over many stages still fit
// into 64 bits.
constexpr double kMaxSize = 1e15;

absl::Status CheckSize(const Stage& stage) {
  const auto check = [&](double size, const char* what) {
    if (size <= kMaxSize) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("stage '", stage.name,
                                                   "' has ", size, " ", what,
                                                   ", more than ", kMaxSize));
  };
  double elements = 1;
  for (int64_t extent : stage.shape) elements *= static_cast<double>(extent);
  RETURN_IF_ERROR(check(elements, "elements"));
  double operations = 0;
  bool is_negative = false;
  OpCounts::VisitFields(stage.ops, [&](const char*, int64_t count) {
    operations += static_cast<double>(count);
    is_negative |= count < 0;
  });
  if (is_negative) {
    return absl::InvalidArgumentError(absl::StrCat(
        "stage '", stage.name, "' says it has fewer operations than none"));
  }
  operations = std::max(1.0, operations);
  for (const Axis& axis : stage.axes)
    operations *= static_cast<double>(axis.extent);
  return check(operations, "operations");
}

absl::Status CheckReads(const std::vector<Stage>& stages, int i) {
  const Stage& stage = stages[i];
  for (const Access& access : stage.reads) {
    if (access.stage < 0 || access.stage >= i) {
      return absl::InvalidArgumentError(
          absl::StrCat("stage '", stage.name, "' reads stage ", access.stage,
                       ", which is not computed before it"));
    }
    const Stage& producer = stages[access.stage];
    if (access.indices.size() != producer.shape.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("stage '", stage.name, "' reads '", producer.name,
                       "' with ", access.indices.size(), " indices, it has ",
                       producer.shape.size(), " dimensions"));
    }
    for (const IndexExpr& index : access.indices) {
      for (const IndexTerm& term : index.terms) {
        if (term.axis < 0 || term.axis >= static_cast<int>(stage.axes.size())) {
          return absl::InvalidArgumentError(
              absl::StrCat("stage '", stage.name, "' reads '", producer.name,
                           "' with an axis it does not have: ", term.axis));
        }
      }
      if (index.divisor < 1 || index.modulus < 0) {
        return absl::InvalidArgumentError(
            absl::StrCat("stage '", stage.name, "' reads '", producer.name,
                         "' with a bad divisor or modulus"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDefinitions(const Stage& stage) {
  if (stage.reduction < ReductionKind::kNone ||
      stage.reduction > ReductionKind::kOther) {
    return absl::InvalidArgumentError(absl::StrCat(
        "stage '", stage.name, "' has a reduction of no known kind"));
  }
  const int reads = static_cast<int>(stage.reads.size());
  for (const Definition& definition : stage.definitions) {
    if (const absl::Status status = CheckDefinition(definition, reads);
        !status.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("stage '", stage.name, "': ", status.message()));
    }
  }
  if (!stage.definitions.empty() &&
      CountOps(stage.definitions.back()) != stage.ops) {
    return absl::InvalidArgumentError(
        absl::StrCat("stage '", stage.name, "' has the operations ",
                     ToString(CountOps(stage.definitions.back())),
                     " and says it has ", ToString(stage.ops)));
  }
  return absl::OkStatus();
}

IntegerWork IntegerWorkOf(const Stage& stage) {
  if (!stage.definitions.empty())
    return CountIntegerWork(stage.definitions.back());
  if (stage.types.empty() || stage.types[0].IsFloat()) return {};
  const OpCounts& ops = stage.ops;
  // Enough to know that it is too much.
  constexpr int64_t kMaxOperations = int64_t{1} << 40;
  const int64_t operations = std::min(
      kMaxOperations, ops.int_mad + ops.int_add + ops.int_mul + ops.int_div +
                          ops.int_compare + ops.int_other);
  return {.operations = operations, .bytes = operations * stage.ElementBytes()};
}

std::string IndexToString(const IndexExpr& index, const Stage& reader) {
  std::string sum = absl::StrJoin(
      index.terms, "+", [&](std::string* out, const IndexTerm& term) {
        if (term.coefficient != 1) absl::StrAppend(out, term.coefficient, "*");
        absl::StrAppend(out, reader.axes[term.axis].name);
      });
  if (index.constant != 0 || index.terms.empty()) {
    absl::StrAppend(&sum, index.constant < 0 || index.terms.empty() ? "" : "+",
                    index.constant);
  }
  if (index.opaque) return absl::StrCat("?(", sum, ")");
  if (index.divisor != 1) sum = absl::StrCat("(", sum, ")/", index.divisor);
  if (index.modulus != 0) sum = absl::StrCat("(", sum, ")%", index.modulus);
  return index.clamped ? absl::StrCat("clamp(", sum, ")") : sum;
}

std::string StageToString(const Stage& stage,
                          const std::vector<Stage>& stages) {
  const auto axis_text = [](std::string* out, const Axis& axis) {
    absl::StrAppend(out, axis.name, ":",
                    axis.kind == AxisKind::kReduction ? "r" : "", axis.extent,
                    axis.selects ? "s" : "");
  };
  std::string text = stage.name;
  if (stage.kind == StageKind::kPlaceholder) {
    absl::StrAppend(&text, "[", absl::StrJoin(stage.shape, ","),
                    stage.contents == 0 ? "] input" : "] table");
  } else {
    absl::StrAppend(&text, "[", absl::StrJoin(stage.axes, ",", axis_text), "]");
  }
  absl::StrAppend(
      &text, " ",
      absl::StrJoin(stage.types, ",", [](std::string* out, ElementType type) {
        absl::StrAppend(out, ToString(type));
      }));
  if (stage.is_output) absl::StrAppend(&text, " output");
  if (stage.opaque) absl::StrAppend(&text, " opaque");
  if (!stage.extern_function.empty()) absl::StrAppend(&text, " extern");
  if (stage.ordered) absl::StrAppend(&text, " ordered");
  if (stage.accumulates) absl::StrAppend(&text, " accumulates");
  if (stage.cached) absl::StrAppend(&text, " cached");
  if (stage.reduction != ReductionKind::kNone)
    absl::StrAppend(&text, " ", ReductionKindName(stage.reduction));
  if (stage.ops != OpCounts())
    absl::StrAppend(&text, " (", ToString(stage.ops), ")");
  for (const Access& access : stage.reads) {
    absl::StrAppend(
        &text, access.by_initialization ? " init:" : " ",
        stages[access.stage].name, "[",
        absl::StrJoin(access.indices, ",",
                      [&](std::string* out, const IndexExpr& index) {
                        absl::StrAppend(out, IndexToString(index, stage));
                      }),
        "]");
  }
  return text;
}

}  // namespace

bool Stage::InitializationReads(int producer) const {
  return std::any_of(reads.begin(), reads.end(), [&](const Access& access) {
    return access.stage == producer && access.by_initialization;
  });
}

bool Stage::HasSelectingAxes() const {
  return std::any_of(axes.begin(), axes.end(),
                     [](const Axis& axis) { return axis.selects; });
}

bool Stage::IsIndependent(int axis) const {
  return std::all_of(definitions.begin(), definitions.end(),
                     [axis](const Definition& definition) {
                       return axis < std::ssize(definition.independent) &&
                              definition.independent[axis];
                     });
}

bool Stage::IsDivisible(int axis) const {
  return !opaque || (has_parts && IsIndependent(axis));
}

bool Stage::IsSlidable() const {
  return IsPlaceable() && !opaque && !IsInitialized() && sizes_are_known &&
         read_in_part.empty();
}

bool Stage::IsPlaceable() const {
  if (kind != StageKind::kCompute || is_output) return false;
  if (!opaque) return true;
  for (int axis = 0; axis < SpatialRank(); ++axis) {
    if (axes[axis].extent > 1 && IsDivisible(axis)) return true;
  }
  return false;
}

bool IndexExpr::VariesWith(int axis) const {
  return std::any_of(terms.begin(), terms.end(), [axis](const IndexTerm& term) {
    return term.axis == axis;
  });
}

int Stage::ElementBytes() const {
  int bytes = 0;
  for (const ElementType type : types) bytes += type.Bytes();
  return bytes;
}

int64_t Stage::SpatialSize() const {
  int64_t size = 1;
  for (int64_t extent : shape) size *= extent;
  return size;
}

int64_t Stage::ReductionSize() const {
  int64_t size = 1;
  for (size_t i = shape.size(); i < axes.size(); ++i) size *= axes[i].extent;
  return size;
}

absl::StatusOr<ComputeDag> ComputeDag::Create(std::vector<Stage> stages) {
  if (stages.empty())
    return absl::InvalidArgumentError("a DAG needs at least one stage");
  for (size_t i = 0; i < stages.size(); ++i) {
    RETURN_IF_ERROR(CheckAxes(stages[i]));
    RETURN_IF_ERROR(CheckSize(stages[i]));
    RETURN_IF_ERROR(CheckReads(stages, static_cast<int>(i)));
    RETURN_IF_ERROR(CheckDefinitions(stages[i]));
  }
  return ComputeDag(std::move(stages));
}

struct ComputeDag::DerivedDags {
  absl::Mutex mutex;
  std::map<std::vector<int64_t>, ComputeDag> dags ABSL_GUARDED_BY(mutex);
};

absl::StatusOr<const ComputeDag*> ComputeDag::Derived(
    const std::vector<int64_t>& key,
    absl::FunctionRef<absl::StatusOr<ComputeDag>()> make) const {
  const absl::MutexLock lock(derived_->mutex);
  const auto found = derived_->dags.find(key);
  if (found != derived_->dags.end()) return &found->second;
  ASSIGN_OR_RETURN(ComputeDag dag, make());
  return &derived_->dags.emplace(key, std::move(dag)).first->second;
}

ComputeDag::ComputeDag(std::vector<Stage> stages)
    : stages_(std::move(stages)),
      consumers_(stages_.size()),
      producers_(stages_.size()),
      derived_(std::make_shared<DerivedDags>()) {
  for (int i = 0; i < size(); ++i) {
    std::vector<int>& producers = producers_[i];
    for (const Access& access : stages_[i].reads)
      producers.push_back(access.stage);
    std::sort(producers.begin(), producers.end());
    producers.erase(std::unique(producers.begin(), producers.end()),
                    producers.end());
    for (int producer : producers) consumers_[producer].push_back(i);
    integer_work_.push_back(IntegerWorkOf(stages_[i]));
    const Stage& stage = stages_[i];
    work_by_axis_.push_back(
        stage.definitions.empty()
            ? WorkByAxis{.varying = std::vector<double>(stage.SpatialRank())}
            : WorkByAxisOf(stage.definitions.back(), stage.SpatialRank()));
  }
}

int64_t ComputeDag::Flops() const {
  int64_t flops = 0;
  for (const Stage& stage : stages_) {
    flops += stage.ops.Flops() * stage.SpatialSize() * stage.ReductionSize();
  }
  return flops;
}

int64_t ComputeDag::IntegerOps() const {
  int64_t ops = 0;
  for (const Stage& stage : stages_) {
    ops += stage.ops.IntegerOps() * stage.SpatialSize() * stage.ReductionSize();
  }
  return ops;
}

std::string ComputeDag::ToString() const {
  return absl::StrCat(absl::StrJoin(stages_, "\n",
                                    [&](std::string* out, const Stage& stage) {
                                      absl::StrAppend(
                                          out, StageToString(stage, stages_));
                                    }),
                      "\n");
}

}  // namespace pruner
