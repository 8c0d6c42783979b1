#include "halide_ext/tests/checked_kernels.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "gtest/gtest.h"
#include "halide_ext/runner/guarded_memory.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

void CheckSchedules(const WorkloadPipeline& pipeline,
                    absl::Span<const Schedule> schedules,
                    const TargetSpec& target) {
  const absl::StatusOr<Kernel> reference = pipeline.CompileReference();
  ASSERT_TRUE(reference.ok()) << reference.status();
  const auto expected = RunChecked(pipeline, *reference);
  ASSERT_TRUE(expected.ok()) << expected.status();
  for (const Schedule& schedule : schedules) {
    SCOPED_TRACE(PrintSchedule(schedule));
    const absl::StatusOr<Kernel> kernel = pipeline.Compile(schedule, target);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    if (!kernel.ok()) continue;
    const auto actual = RunChecked(pipeline, *kernel);
    ASSERT_TRUE(actual.ok()) << actual.status();
    EXPECT_EQ(*actual, *expected);
  }
}

}  // namespace

TargetSpec CheckedTarget() {
  TargetSpec target = SampleCpuTarget();
  target.halide_target = Halide::get_host_target().to_string();
  return target;
}

std::vector<float> CheckedInput(const WorkloadPipeline& pipeline,
                                int argument) {
  std::vector<float> values(pipeline.arguments()[argument].NumElements());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] =
        static_cast<float>((i * 7 + i / 13 + argument * 5 + 1) % 13) - 6;
  }
  return values;
}

absl::StatusOr<std::vector<float>> RunChecked(const WorkloadPipeline& pipeline,
                                              const Kernel& kernel) {
  std::vector<GuardedMemory> memory;
  std::vector<void*> tensors;
  const int count = static_cast<int>(pipeline.arguments().size());
  for (int i = 0; i < count; ++i) {
    const KernelArgument& argument = pipeline.arguments()[i];
    ASSIGN_OR_RETURN(GuardedMemory tensor,
                     GuardedMemory::Allocate(argument.Bytes()));
    auto* data = static_cast<float*>(tensor.data());
    memory.push_back(std::move(tensor));
    tensors.push_back(data);
    if (i < pipeline.num_inputs()) {
      const std::vector<float> values = CheckedInput(pipeline, i);
      std::copy(values.begin(), values.end(), data);
    } else {
      std::fill_n(data, argument.NumElements(),
                  std::numeric_limits<float>::quiet_NaN());
    }
  }
  RETURN_IF_ERROR(kernel.Run(tensors));
  std::vector<float> outputs;
  for (int i = pipeline.num_inputs(); i < count; ++i) {
    const auto* data = static_cast<const float*>(tensors[i]);
    outputs.insert(outputs.end(), data,
                   data + pipeline.arguments()[i].NumElements());
  }
  return outputs;
}

void CheckSchedules(const Halide::Pipeline& pipeline,
                    absl::Span<const Schedule> schedules,
                    const TargetSpec& target) {
  const absl::StatusOr<Workload> workload = MakeWorkload("workload", pipeline);
  ASSERT_TRUE(workload.ok()) << workload.status();
  CheckSchedules(*WorkloadPipeline::Load(workload->pipeline), schedules,
                 target);
}

void CheckSamples(const Halide::Pipeline& pipeline, int samples,
                  const TargetSpec& target) {
  const absl::StatusOr<Workload> workload = MakeWorkload("workload", pipeline);
  ASSERT_TRUE(workload.ok()) << workload.status();
  const SketchContext context = {.dag = workload->dag, .target = target};
  ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  std::vector<Schedule> schedules = {*sampler.DefaultSchedule()};
  Rng rng(1);
  std::string rejections;
  const auto add = [&](const absl::StatusOr<Draw>& draw) {
    ASSERT_TRUE(draw.ok()) << draw.status();
    if (const auto* schedule = std::get_if<Schedule>(&*draw)) {
      schedules.push_back(*schedule);
    } else {
      absl::StrAppend(&rejections, " ",
                      RejectionName(std::get<Rejection>(*draw)));
    }
  };
  const size_t random = schedules.size() + samples;
  for (int i = 0; i < 50 * samples && schedules.size() < random; ++i)
    add(sampler.Sample(rng));
  EXPECT_EQ(schedules.size(), random) << "others are rejected:" << rejections;
  for (size_t i = 1; i < random; ++i) add(sampler.Mutate(schedules[i], rng));
  CheckSchedules(*WorkloadPipeline::Load(workload->pipeline), schedules,
                 target);
}

}  // namespace pruner
