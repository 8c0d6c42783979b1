#include "halide_ext/tests/halide_passes.h"

#include "halide_ext/build/partly_lowered.h"

namespace pruner {

using Halide::Target;
using Halide::Internal::Stmt;

HalideStatement LowerUntilUnrolling(const Halide::Pipeline& scheduled,
                                    const Target& target) {
  namespace hi = Halide::Internal;
  PartlyLowered lowered = LowerUntilImageChecks(scheduled, target);
  SkipStages(lowered);
  auto& [s, outputs, env, order, fused_groups, bounds, any_memoized] = lowered;
  s = hi::fork_async_producers(s, env);
  s = hi::split_tuples(s, env);
  const bool copies_to_device = target.has_gpu_feature();
  if (copies_to_device) s = hi::canonicalize_gpu_vars(s);
  s = hi::simplify_correlated_differences(s);
  s = hi::bound_small_allocations(s);
  s = hi::storage_flattening(s, outputs, env, target);
  s = hi::add_atomic_mutex(s, outputs);
  s = hi::unpack_buffers(s);
  if (any_memoized) s = hi::rewrite_memoized_allocations(s, env);
  if (copies_to_device) {
    s = hi::select_gpu_api(s, target);
    s = hi::inject_host_dev_buffer_copies(s, target);
    s = hi::select_gpu_api(s, target);
  }
  s = hi::simplify(s);
  s = hi::unify_duplicate_lets(s);
  s = hi::reduce_prefetch_dimension(s, target);
  s = hi::simplify_correlated_differences(s);
  s = hi::bound_constant_extent_loops(s);
  return {.body = s, .functions = env};
}

Stmt Simplified(const Stmt& statement) {
  return Halide::Internal::simplify(statement);
}

Stmt Unrolled(const Stmt& statement) {
  return Halide::Internal::unroll_loops(statement);
}

Stmt Vectorized(const Stmt& unrolled, const HalideStatement& statement) {
  return Halide::Internal::simplify(
      Halide::Internal::vectorize_loops(unrolled, statement.functions));
}

}  // namespace pruner
