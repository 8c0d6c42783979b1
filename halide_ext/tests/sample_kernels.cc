#include "halide_ext/tests/sample_kernels.h"

#include <map>
#include <string>

#include "absl/log/check.h"
#include "halide_ext/lower/directive.h"

namespace pruner {
namespace {

WorkloadPipeline Load(const Halide::Pipeline& pipeline) {
  const absl::StatusOr<Workload> workload = MakeWorkload("sample", pipeline);
  CHECK_OK(workload);
  absl::StatusOr<WorkloadPipeline> loaded =
      WorkloadPipeline::Load(workload->pipeline);
  CHECK_OK(loaded);
  return *std::move(loaded);
}

}  // namespace

SampleKernel GemmKernel(const GemmOptions& options) {
  const Gemm gemm = GemmAlgorithm(options);
  return {
      .pipeline = Load(gemm.pipeline),
      .schedule = [options, names = gemm.funcs](Halide::Pipeline& pipeline) {
        const std::map<std::string, Halide::Func> funcs = FuncsOf(pipeline);
        ScheduleGemm(options, {.a = funcs.at(names.a.name()),
                               .b = funcs.at(names.b.name()),
                               .c = funcs.at(names.c.name()),
                               .out = funcs.at(names.out.name())});
        return absl::OkStatus();
      }};
}

SampleKernel ConvKernel(const ConvOptions& options) {
  const Conv conv = ConvAlgorithm(options);
  return {
      .pipeline = Load(conv.pipeline),
      .schedule = [options, names = conv.funcs](Halide::Pipeline& pipeline) {
        const std::map<std::string, Halide::Func> funcs = FuncsOf(pipeline);
        ScheduleConv(options, {.padded = funcs.at(names.padded.name()),
                               .weights = funcs.at(names.weights.name()),
                               .acc = funcs.at(names.acc.name()),
                               .out = funcs.at(names.out.name())});
        return absl::OkStatus();
      }};
}

}  // namespace pruner
