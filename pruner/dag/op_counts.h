// How many operations of which kind an iteration takes.
#ifndef PRUNER_DAG_OP_COUNTS_H_
#define PRUNER_DAG_OP_COUNTS_H_

#include <cstdint>
#include <string>

namespace pruner {

// The sixteen kinds that TenSet's program features tell apart
// (docs/algorithms.md A7), in their order. Casts and reads count nothing.
struct OpCounts {
  int64_t float_mad = 0;  // fused, where a pipeline asks for it by name
  int64_t float_add = 0;
  int64_t float_mul = 0;
  int64_t float_div = 0;      // and modulo
  int64_t float_compare = 0;  // and minimum and maximum
  int64_t float_math = 0;     // exp, sqrt, …
  int64_t float_other = 0;    // other calls
  int64_t int_mad = 0;
  int64_t int_add = 0;
  int64_t int_mul = 0;
  int64_t int_div = 0;
  int64_t int_compare = 0;
  int64_t int_math = 0;
  int64_t int_other = 0;
  int64_t boolean = 0;  // and, or, not
  int64_t select = 0;

  bool operator==(const OpCounts&) const = default;

  // Calls visit(name, count) for each kind, in order; count is a reference.
  template <typename Self, typename Visitor>
  static void VisitFields(Self& counts, const Visitor& visit) {
    visit("float_mad", counts.float_mad);
    visit("float_add", counts.float_add);
    visit("float_mul", counts.float_mul);
    visit("float_div", counts.float_div);
    visit("float_compare", counts.float_compare);
    visit("float_math", counts.float_math);
    visit("float_other", counts.float_other);
    visit("int_mad", counts.int_mad);
    visit("int_add", counts.int_add);
    visit("int_mul", counts.int_mul);
    visit("int_div", counts.int_div);
    visit("int_compare", counts.int_compare);
    visit("int_math", counts.int_math);
    visit("int_other", counts.int_other);
    visit("boolean", counts.boolean);
    visit("select", counts.select);
  }

  // Floating-point operations that count towards GFLOP/s: a fused one is two,
  // calls are none (docs/algorithms.md A2).
  int64_t Flops() const {
    return 2 * float_mad + float_add + float_mul + float_div + float_compare;
  }
  // The same of integers.
  int64_t IntegerOps() const {
    return 2 * int_mad + int_add + int_mul + int_div + int_compare;
  }
  int64_t Total() const;
};

// Such as "float_add:1 select:2"; what does not occur is left out.
std::string ToString(const OpCounts& counts);

// What is computed with integers of data: indices and what follows from them
// alone are the same for whole vectors, or known.
struct IntegerWork {
  int64_t operations = 0;  // casts among them
  // Each counts as many as the wider of what it takes and gives, so that a
  // vector of 32 bytes has twice as many of 16 bits as of 32.
  int64_t bytes = 0;

  bool operator==(const IntegerWork&) const = default;
};

}  // namespace pruner

#endif  // PRUNER_DAG_OP_COUNTS_H_
