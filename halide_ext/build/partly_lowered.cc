#include "halide_ext/build/partly_lowered.h"

#include <tuple>
#include <utility>

#include "halide_ext/analyze/functions_of.h"

namespace pruner {

namespace {

PartlyLowered Lower(const Halide::Pipeline& scheduled,
                    const Halide::Target& target) {
  namespace hi = Halide::Internal;
  PartlyLowered out;
  std::tie(out.outputs, out.functions) =
      hi::deep_copy(OutputFunctions(scheduled), FunctionsOf(scheduled));
  auto& env = out.functions;
  hi::lower_target_query_ops(env, target);
  hi::strictify_float(env, target);
  for (const hi::Function& output : out.outputs)
    Halide::Func(output).compute_root().store_root();
  for (auto& [name, function] : env) function.lock_loop_levels();
  env = hi::wrap_func_calls(env);
  std::tie(out.order, out.fused_groups) =
      hi::realization_order(out.outputs, env);
  hi::simplify_specializations(env);

  hi::Stmt s = hi::schedule_functions(out.outputs, out.fused_groups, env,
                                      target, out.any_memoized);
  if (out.any_memoized)
    s = hi::inject_memoization(s, env, out.outputs[0].name(), out.outputs);
  s = hi::add_parameter_checks(scheduled.requirements(), s, target);
  out.bounds = hi::compute_function_value_bounds(out.order, env);
  s = hi::clamp_unsafe_accesses(s, env, out.bounds);
  s = hi::bounds_inference(s, out.outputs, out.order, out.fused_groups, env,
                           out.bounds, target);
  s = hi::add_split_factor_checks(s, env);
  s = hi::remove_extern_loops(s);
  s = hi::sliding_window(s, env);
  s = hi::uniquify_variable_names(s);
  s = hi::simplify(s, /*remove_dead_code=*/false);
  s = hi::simplify_correlated_differences(s);
  s = hi::allocation_bounds_inference(s, env, out.bounds);
  out.body = hi::add_image_checks(
      s, out.outputs, target, out.order, env, out.bounds,
      /*will_inject_host_copies=*/target.has_gpu_feature());
  return out;
}

}  // namespace

PartlyLowered LowerUntilImageChecks(const Halide::Pipeline& scheduled,
                                    const Halide::Target& target) {
  PartlyLowered lowered;
  // As Halide does it: statements of long pipelines are deeply nested.
  Halide::Internal::run_with_large_stack(
      [&] { lowered = Lower(scheduled, target); });
  return lowered;
}

void SkipStages(PartlyLowered& lowered) {
  namespace hi = Halide::Internal;
  hi::run_with_large_stack([&] {
    hi::Stmt s = hi::remove_undef(lowered.body);
    s = hi::storage_folding(s, lowered.functions);
    s = hi::inject_prefetch(s, lowered.functions);
    s = hi::lower_safe_promises(s);
    lowered.body = hi::skip_stages(s, lowered.outputs, lowered.fused_groups,
                                   lowered.functions);
  });
}

}  // namespace pruner
