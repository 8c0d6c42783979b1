#include "halide_ext/tests/halide_passes.h"

#include <vector>

namespace pruner {

using Halide::Target;
using Halide::Internal::Function;
using Halide::Internal::FuncValueBounds;
using Halide::Internal::Stmt;

HalideStatement LowerUntilUnrolling(const Halide::Pipeline& scheduled,
                                    const Target& target) {
  namespace hi = Halide::Internal;
  std::vector<Function> written;
  for (const Halide::Func& output : scheduled.outputs())
    written.push_back(output.function());
  auto [outputs, env] = hi::deep_copy(written, hi::build_environment(written));
  hi::lower_target_query_ops(env, target);
  hi::strictify_float(env, target);
  for (const Function& output : outputs)
    Halide::Func(output).compute_root().store_root();
  for (auto& [name, function] : env) function.lock_loop_levels();
  env = hi::wrap_func_calls(env);
  const auto [order, fused_groups] = hi::realization_order(outputs, env);
  hi::simplify_specializations(env);

  bool any_memoized = false;
  Stmt s =
      hi::schedule_functions(outputs, fused_groups, env, target, any_memoized);
  if (any_memoized)
    s = hi::inject_memoization(s, env, outputs[0].name(), outputs);
  s = hi::add_parameter_checks(scheduled.requirements(), s, target);
  FuncValueBounds bounds = hi::compute_function_value_bounds(order, env);
  s = hi::clamp_unsafe_accesses(s, env, bounds);
  s = hi::bounds_inference(s, outputs, order, fused_groups, env, bounds,
                           target);
  s = hi::add_split_factor_checks(s, env);
  s = hi::remove_extern_loops(s);
  s = hi::sliding_window(s, env);
  s = hi::uniquify_variable_names(s);
  s = hi::simplify(s, /*remove_dead_code=*/false);
  s = hi::simplify_correlated_differences(s);
  s = hi::allocation_bounds_inference(s, env, bounds);
  const bool copies_to_device = target.has_gpu_feature();
  s = hi::add_image_checks(s, outputs, target, order, env, bounds,
                           copies_to_device);
  s = hi::remove_undef(s);
  s = hi::storage_folding(s, env);
  s = hi::inject_prefetch(s, env);
  s = hi::lower_safe_promises(s);
  s = hi::skip_stages(s, outputs, fused_groups, env);
  s = hi::fork_async_producers(s, env);
  s = hi::split_tuples(s, env);
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
