#include "halide_ext/build/stored_pipeline.h"

#include <map>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "halide_ext/build/pipeline_parameters.h"
#include "pruner/base/hash.h"

namespace pruner {
namespace {

using Halide::Parameter;
using Halide::Pipeline;

constexpr absl::string_view kMark = "pruner pipeline 1\n";

// Makes a buffer what the argument is, for good. That is also the estimate,
// which Halide's autoschedulers ask for.
void FixShape(Parameter parameter, const KernelArgument& argument) {
  const std::vector<halide_dimension_t> dimensions = argument.Dimensions();
  for (int d = 0; d < static_cast<int>(dimensions.size()); ++d) {
    const halide_dimension_t& dimension = dimensions[d];
    parameter.set_min_constraint(d, dimension.min);
    parameter.set_min_constraint_estimate(d, dimension.min);
    parameter.set_extent_constraint(d, dimension.extent);
    parameter.set_extent_constraint_estimate(d, dimension.extent);
    parameter.set_stride_constraint(d, dimension.stride);
  }
  // Vector loads and stores of whole rows need not ask.
  constexpr int kAlignment = 64;
  parameter.set_host_alignment(kAlignment);
}

// Of inputs of which nothing is stored yet: Halide does not store the bounds of
// any, and what is read says how large some are.
void AddRegions(const PipelineRegions& regions, proto::StoredPipeline& stored) {
  std::set<std::string> known;
  for (const proto::StoredPipeline::Input& input : stored.inputs())
    known.insert(input.name());
  for (const std::string& name : regions.inputs) {
    if (known.contains(name)) continue;
    proto::StoredPipeline::Input& input = *stored.add_inputs();
    input.set_name(name);
    for (const Range& range : regions.regions.at(name)) {
      input.add_min(static_cast<int32_t>(range.min));
      input.add_extent(static_cast<int32_t>(range.Extent()));
      if (stored.sizes_are_estimates()) input.add_is_estimate(true);
    }
  }
}

}  // namespace

std::string SealPipeline(const Pipeline& pipeline,
                         const PipelineRegions& regions, Sizes sizes) {
  proto::StoredPipeline stored = StorePipeline(pipeline, sizes);
  AddRegions(regions, stored);
  const std::string content = stored.SerializeAsString();
  return absl::StrCat(kMark, absl::Hex(Fingerprint(content), absl::kZeroPad16),
                      content);
}

bool IsSealed(absl::string_view bytes) {
  return absl::StartsWith(bytes, kMark);
}

absl::StatusOr<proto::StoredPipeline> UnsealPipeline(absl::string_view sealed) {
  constexpr size_t kHashDigits = 16;
  const bool marked =
      absl::ConsumePrefix(&sealed, kMark) && sealed.size() > kHashDigits;
  const absl::string_view content =
      marked ? sealed.substr(kHashDigits) : absl::string_view();
  proto::StoredPipeline stored;
  if (!marked ||
      sealed.substr(0, kHashDigits) !=
          absl::StrCat(absl::Hex(Fingerprint(content), absl::kZeroPad16)) ||
      !stored.ParseFromString(content)) {
    return absl::InvalidArgumentError(
        "not a serialized pipeline, or a damaged one");
  }
  return stored;
}

Pipeline MakePipeline(const proto::StoredPipeline& stored,
                      const std::vector<KernelArgument>& arguments) {
  std::map<std::string, Parameter> parameters = StoredParameters(stored);
  Pipeline pipeline = DeserializePipeline(stored, parameters);
  std::map<std::string, const KernelArgument*> by_name;
  for (const KernelArgument& argument : arguments)
    by_name[argument.name] = &argument;
  const bool is_exact = !stored.sizes_are_estimates();
  for (const auto& [name, parameter] : parameters) {
    const auto found = by_name.find(name);
    if (is_exact && found != by_name.end() && parameter.is_buffer())
      FixShape(parameter, *found->second);
  }
  std::map<std::string, Halide::Func> outputs;
  for (const Halide::Func& output : pipeline.outputs()) {
    if (is_exact)
      FixShape(output.function().output_buffers()[0],
               *by_name.at(output.name()));
    outputs.emplace(output.name(), output);
  }
  std::vector<Halide::Func> ordered;
  for (const KernelArgument& argument : arguments) {
    const auto found = outputs.find(argument.name);
    if (found != outputs.end()) ordered.push_back(found->second);
  }
  return Pipeline(ordered);
}

}  // namespace pruner
