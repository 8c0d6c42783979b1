#include "halide_ext/build/without_mixed_products.h"

#include <set>
#include <string>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/mixed_products.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/without_vectors.h"

namespace pruner {

absl::StatusOr<Schedule> WithoutMixedProducts(const WorkloadPipeline& pipeline,
                                              const Schedule& schedule,
                                              const TargetSpec& target) {
  using Funcs = std::set<std::string>;
  ASSIGN_OR_RETURN(Halide::Pipeline scheduled,
                   pipeline.Scheduled(schedule, target));
  ASSIGN_OR_RETURN(const Funcs funcs, Guarded<Funcs>([&] {
                     return FuncsThatMixProducts(scheduled.compile_to_module(
                         scheduled.infer_arguments(), "kernel",
                         Halide::Target(target.halide_target)));
                   }));
  if (funcs.empty()) return schedule;
  ASSIGN_OR_RETURN(Schedule without,
                   WithoutVectors(pipeline.analyzed().dag, schedule, funcs));
  if (without != schedule) return without;
  return absl::FailedPreconditionError(absl::StrCat(
      "Halide compiles no vectors of a uint16_t as a double times a constant, "
      "as in ",
      absl::StrJoin(funcs, ", ")));
}

}  // namespace pruner
