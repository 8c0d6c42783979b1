#include "models/runtime/verify_formulations.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/build/kernel_threads.h"
#include "models/graph/interpreter.h"
#include "models/operators/operators.h"
#include "models/ops/packing.h"
#include "models/runtime/compile_tasks.h"
#include "models/runtime/error_scale.h"
#include "models/runtime/tensor_buffer.h"
#include "models/runtime/verify.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// A subgraph's inputs and what is expected of it.
struct Expected {
  std::vector<Array> inputs;
  Array output;
  double error_scale = 1;
};

absl::StatusOr<Expected> Expect(const Subgraph& subgraph,
                                const VerifyFormulationsOptions& options) {
  OperatorGraph body = subgraph.body;
  std::vector<int> nodes(body.nodes.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  const std::vector<TensorId> operands = OperandsOfBounded(body, nodes);
  body.outputs.insert(body.outputs.end(), operands.begin(), operands.end());
  Expected expected = {.inputs = RandomInputs(body, options.seed),
                       .output = {}};
  ASSIGN_OR_RETURN(
      std::vector<Array> outputs,
      RunGraph(body, expected.inputs, {.threads = options.threads}));
  expected.output = std::move(outputs[0]);
  expected.error_scale =
      ErrorScale(expected.output, absl::MakeConstSpan(outputs).subspan(1));
  return expected;
}

// The subgraph's input as the kernel reads it.
TensorBuffer Packed(const Array& input, DataType type, const Packing& packing) {
  const Shape packed = PackedShape(input.shape, packing);
  TensorBuffer buffer({type, static_cast<size_t>(NumElements(packed))});
  AssignPacked(input.values, input.shape, packing, buffer.view());
  return buffer;
}

absl::StatusOr<OutputError> RunAndCompare(const OperatorGraph& body,
                                          const NetworkTask& task,
                                          const CompiledTask& compiled,
                                          const Expected& expected) {
  const TensorBuffer output(SpecOf(body, body.outputs[0]));
  std::vector<TensorBuffer> inputs;
  std::vector<void*> tensors;
  for (const std::string& argument : compiled.arguments) {
    const auto input = std::find_if(
        task.inputs.begin(), task.inputs.end(),
        [&](const OpInput& candidate) { return candidate.name == argument; });
    if (input == task.inputs.end()) {
      tensors.push_back(output.data());
      continue;
    }
    const size_t index = input - task.inputs.begin();
    inputs.push_back(Packed(expected.inputs[index],
                            body.TypeOf(body.inputs[index]), input->packing));
    tensors.push_back(inputs.back().data());
  }
  RETURN_IF_ERROR(compiled.kernel.Run(tensors));
  return CompareOutput(task.workload.name, output.view().Values(),
                       expected.output.values);
}

FormulationCheck Check(const OperatorGraph& body, const NetworkTask& task,
                       const absl::StatusOr<CompiledTask>& compiled,
                       const absl::StatusOr<Expected>& expected) {
  if (!compiled.ok()) return {.status = compiled.status()};
  if (!expected.ok()) return {.status = expected.status()};
  const absl::StatusOr<OutputError> found =
      RunAndCompare(body, task, *compiled, *expected);
  if (!found.ok()) return {.status = found.status()};
  FormulationCheck check = {.error = found->relative, .status = {}};
  const double tolerance = task.tolerance * expected->error_scale;
  if (!(check.error <= tolerance)) {
    check.status = absl::InternalError(
        absl::StrCat("it differs from double precision by ", check.error,
                     " of its largest value, most at element ", found->element,
                     "; rounding explains ", tolerance));
  }
  return check;
}

}  // namespace

std::vector<FormulationCheck> VerifyFormulations(
    const PartitionResult& partition, absl::Span<const NetworkTask> tasks,
    const SchedulesByWorkload& schedules, const TargetSpec& target,
    const VerifyFormulationsOptions& options) {
  std::vector<KernelTask> kernels;
  for (const NetworkTask& task : tasks) kernels.push_back({.task = &task});
  const std::vector<absl::StatusOr<CompiledTask>> compiled = CompileEachTask(
      kernels, schedules, target, {.compile_threads = options.threads});
  SetKernelThreads(options.threads);
  std::vector<FormulationCheck> checks;
  // Formulations of a subgraph are neighbours; tensors of one are kept.
  int subgraph = -1;
  absl::StatusOr<Expected> expected = absl::UnknownError("not computed");
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].subgraph != subgraph) {
      subgraph = tasks[i].subgraph;
      expected = Expect(partition.subgraphs[subgraph].subgraph, options);
    }
    checks.push_back(Check(partition.subgraphs[subgraph].subgraph.body,
                           tasks[i], compiled[i], expected));
  }
  return checks;
}

}  // namespace pruner
