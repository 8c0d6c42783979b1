#include "pruner/record/legacy_keys.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/hash.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

std::string PrintIndex(const IndexExpr& index) {
  std::string sum = absl::StrJoin(
      index.terms, "+", [](std::string* out, const IndexTerm& term) {
        if (term.coefficient != 1) absl::StrAppend(out, term.coefficient, "*");
        absl::StrAppend(out, "a", term.axis);
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

// There were fewer kinds of them.
std::string PrintOperations(const OpCounts& ops) {
  const int64_t integer =
      ops.int_add + ops.int_mul + ops.int_div + ops.int_compare;
  return absl::StrCat(
      " ops(",
      absl::StrJoin({ops.float_add, ops.float_mul, ops.float_div,
                     ops.float_compare, ops.float_math, integer, ops.select},
                    ","),
      ")");
}

std::string PrintRead(const Access& access) {
  return absl::StrCat(access.by_initialization ? " init:" : " ", "#",
                      access.stage, "[",
                      absl::StrJoin(access.indices, ",",
                                    [](std::string* out, const IndexExpr& i) {
                                      out->append(PrintIndex(i));
                                    }),
                      "]");
}

std::string PrintStage(const Stage& stage) {
  std::string text;
  if (stage.kind == StageKind::kPlaceholder) {
    text = absl::StrCat("[", absl::StrJoin(stage.shape, ","), "] input");
  } else {
    const auto print = [](std::string* out, const Axis& axis) {
      absl::StrAppend(out, axis.kind == AxisKind::kReduction ? "r" : "",
                      axis.extent, axis.selects ? "s" : "");
    };
    text = absl::StrCat("[", absl::StrJoin(stage.axes, ",", print), "]");
  }
  absl::StrAppend(&text, " b", stage.ElementBytes());
  if (stage.is_output) absl::StrAppend(&text, " output");
  if (stage.opaque) absl::StrAppend(&text, " opaque");
  if (stage.ordered) absl::StrAppend(&text, " ordered");
  if (stage.accumulates) absl::StrAppend(&text, " accumulates");
  if (stage.cached) absl::StrAppend(&text, " cached");
  if (stage.kind == StageKind::kCompute)
    absl::StrAppend(&text, PrintOperations(stage.ops));
  for (const Access& access : stage.reads)
    absl::StrAppend(&text, PrintRead(access));
  return text;
}

// The names were those of the enumerators of the proto.

absl::string_view Name(Backend backend) {
  switch (backend) {
    case Backend::kHost:
      return "HOST";
    case Backend::kCuda:
      return "CUDA";
    case Backend::kOpenCl:
      return "OPENCL";
  }
  return "";
}

absl::string_view Name(Binding binding) {
  switch (binding) {
    case Binding::kParallel:
      return "PARALLEL";
    case Binding::kBlock:
      return "BLOCK";
    case Binding::kVThread:
      return "VTHREAD";
    case Binding::kThread:
      return "THREAD";
    case Binding::kSerial:
      return "SERIAL";
    case Binding::kRegister:
      return "REGISTER";
  }
  return "";
}

std::string PrintLevel(absl::string_view name, const MemoryLevel& level) {
  return absl::StrFormat(
      "%s {\n  size_bytes: %d\n  gb_per_s: 0\n  line_bytes: %d\n}\n", name,
      level.size_bytes, level.line_bytes);
}

std::string PrintLimits(const Limits& limits) {
  return absl::StrCat(
      "limits {\n  threads_per_block: ", limits.threads_per_block,
      "\n  shared_bytes_per_block: ", limits.shared_bytes_per_block,
      "\n  registers_per_thread: ", limits.registers_per_thread,
      "\n  vthreads: ", limits.vthreads,
      "\n  unrolled_statements: ", limits.unrolled_statements,
      "\n  vectorize_elements: ", limits.vectorize_elements,
      "\n  innermost_split_factor: ", limits.innermost_split_factor, "\n}\n");
}

// Nothing of an empty list.
std::string PrintList(absl::string_view name,
                      absl::Span<const int64_t> values) {
  if (values.empty()) return "";
  return absl::StrCat("  ", name, ": [", absl::StrJoin(values, ", "), "]\n");
}

std::string PrintTiling(const TargetSpec& target) {
  const Tiling& tiling = target.tiling;
  std::string text =
      absl::StrCat("tiling {\n  structure: \"", target.TileStructure(), "\"\n");
  if (!tiling.levels.empty()) {
    absl::StrAppend(&text, "  bindings: [",
                    absl::StrJoin(tiling.levels, ", ",
                                  [](std::string* out, const TileLevel& level) {
                                    absl::StrAppend(out, Name(level.binding));
                                  }),
                    "]\n");
  }
  absl::StrAppend(&text, PrintList("fusion_levels", tiling.fusion_levels),
                  PrintList("auto_unroll_steps", tiling.auto_unroll_steps),
                  "}\n");
  return text;
}

}  // namespace

uint64_t LegacyWorkloadHash(const ComputeDag& dag) {
  return Fingerprint(absl::StrJoin(dag.stages(), "\n",
                                   [](std::string* out, const Stage& stage) {
                                     out->append(PrintStage(stage));
                                   }));
}

uint64_t LegacyTargetFingerprint(const TargetSpec& target) {
  const Units& units = target.units;
  return Fingerprint(absl::StrCat(
      "name: \"", absl::CEscape(target.name),
      "\"\nbackend: ", Name(target.backend), "\nhalide_target: \"",
      absl::CEscape(target.halide_target), "\"\nregisters {\n  count: ",
      target.registers.count, "\n  bytes: ", target.registers.bytes, "\n}\n",
      PrintLevel("l1", target.l1), PrintLevel("l2", target.l2),
      PrintLevel("llc", target.llc), "units {\n  cores: ", units.cores,
      "\n  simd_lanes: ", units.simd_lanes,
      "\n  fma_pipes: 0\n  sub_partitions: ", units.sub_partitions,
      "\n}\npeaks {\n  fp32_gflops_per_core: 0\n  fp32_gflops: 0\n"
      "  dram_gb_per_s: 0\n}\n",
      PrintLimits(target.limits), PrintTiling(target)));
}

}  // namespace pruner
