// What a stage computes: its definitions as flat lists of typed operations.
#ifndef PRUNER_DAG_BODY_H_
#define PRUNER_DAG_BODY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "pruner/dag/element_type.h"
#include "pruner/dag/op_counts.h"

namespace pruner {

// Numbers are part of workload keys: append, never change.
enum class OpKind : uint8_t {
  kConstant = 1,   // Op::value: an integer, or the bits of a double
  kAxis = 2,       // Op::value: the number of the axis, whose value it is;
                   // the operand, if any, is the constant it starts at
  kParameter = 3,  // Op::value: a number given at run time, counted from 0
  kRead = 4,       // of another stage; operands are the indices
  kSelf = 5,       // what the stage itself holds, of this element if there are
                   // no operands, else at these indices
  kCast = 6,
  kReinterpret = 7,
  kAdd = 10,
  kSub = 11,
  kMul = 12,
  kDiv = 13,  // of integers: rounded down
  kMod = 14,
  kMin = 15,
  kMax = 16,
  kEqual = 17,
  kNotEqual = 18,
  kLess = 19,
  kLessEqual = 20,
  kAnd = 21,
  kOr = 22,
  kNot = 23,
  kSelect = 24,  // operands: condition, then, else
  kCall = 25,    // of Op::function
};

struct Op {
  OpKind kind = OpKind::kConstant;
  ElementType type = {};
  // Earlier operations of the definition, in order.
  std::vector<int> operands = {};
  // Of a read: which value, where the stage read has several (a tuple).
  int64_t value = 0;
  // Of a read: its place in Stage::reads, which says of whom. (An index that is
  // two accesses there has the first.)
  int access = -1;
  std::string function = {};

  bool operator==(const Op&) const = default;
};

// One definition of a stage: the pure one, or an update.
struct Definition {
  // Operands before those that use them, each once: equal operations are one.
  std::vector<Op> ops = {};
  // What is stored: an operation for each value of the element.
  std::vector<int> values = {};
  // Where: an operation per dimension, outermost first; none: the element that
  // the stage's spatial axes name.
  std::vector<int> indices = {};
  // Iterations count only where all of these are true.
  std::vector<int> conditions = {};
  // Of a stage that is computed as written: the extents of the update's own
  // reduction variables, which are the axes behind the spatial ones.
  std::vector<int64_t> extents = {};
  // Of a stage that is computed as written: how much of each spatial axis this
  // definition covers; empty: all of it. Later ones may cover less.
  std::vector<int64_t> covered = {};
  // Of a stage that is computed as written, by spatial axis: whether iterations
  // that differ in it may run in any order and at once.
  std::vector<bool> independent = {};
  // The reduction domain has conditions, some of which `conditions` says.
  bool is_predicated = false;

  bool operator==(const Definition&) const = default;
};

// Operations are of known kinds, operands come first and are as many as the
// kind has, and what else refers to an operation refers to one that is there.
// `reads` is the size of Stage::reads.
absl::Status CheckDefinition(const Definition& definition, int reads);

// Of the values; index arithmetic is not counted.
OpCounts CountOps(const Definition& definition);
IntegerWork CountIntegerWork(const Definition& definition);

// Of the values' operations, in additions.
struct WorkByAxis {
  double all = 0;
  // By axis: of those whose results depend on it. The others are the same in
  // all copies of a loop over that axis.
  std::vector<double> varying = {};

  bool operator==(const WorkByAxis&) const = default;
};

// Of as many axes as that.
WorkByAxis WorkByAxisOf(const Definition& definition, int axes);

// How an update combines what is there with what comes new.
enum class ReductionKind { kNone, kSum, kProduct, kMin, kMax, kOther };

absl::string_view ReductionKindName(ReductionKind kind);

// Of an update; kOther if it is none of those that have a name.
ReductionKind ReductionKindOf(const Definition& update);

}  // namespace pruner

#endif  // PRUNER_DAG_BODY_H_
