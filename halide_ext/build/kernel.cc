#include "halide_ext/build/kernel.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "Halide.h"
#include "absl/log/check.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/build/stored_pipeline.pb.h"
#include "halide_ext/lower/lower.h"
#include "pruner/base/hash.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Parameter;
using Halide::Pipeline;

// Halide's reader trusts its input and crashes on anything else, so serialized
// pipelines travel behind a mark and a hash of what follows.
constexpr absl::string_view kMark = "pruner pipeline 1\n";

std::string Seal(const proto::StoredPipeline& stored) {
  const std::string content = stored.SerializeAsString();
  return absl::StrCat(kMark, absl::Hex(Fingerprint(content), absl::kZeroPad16),
                      content);
}

absl::StatusOr<proto::StoredPipeline> Unseal(absl::string_view sealed) {
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

// The pipeline's parameters with the bounds that were stored for them.
std::map<std::string, Parameter> BoundedParameters(
    const std::vector<uint8_t>& bytes, const proto::StoredPipeline& stored) {
  std::map<std::string, Parameter> parameters =
      Halide::deserialize_parameters(bytes);
  for (const proto::StoredPipeline::Input& input : stored.inputs()) {
    const auto found = parameters.find(input.name());
    if (found == parameters.end())
      continue;  // an image that is part of the pipeline
    for (int d = 0; d < input.min_size(); ++d) {
      found->second.set_min_constraint(d, input.min(d));
      found->second.set_extent_constraint(d, input.extent(d));
    }
  }
  return parameters;
}

// Makes a buffer dense, of this shape and starting at the same index, for good.
// That is also the estimate, which Halide's autoschedulers ask for.
void FixShape(Parameter parameter, const KernelArgument& argument) {
  int64_t stride = 1;
  const int rank = static_cast<int>(argument.shape.size());
  for (int d = 0; d < rank; ++d) {
    const int extent = static_cast<int>(argument.shape[rank - 1 - d]);
    const int min = static_cast<int>(argument.min[rank - 1 - d]);
    parameter.set_min_constraint(d, min);
    parameter.set_min_constraint_estimate(d, min);
    parameter.set_extent_constraint(d, extent);
    parameter.set_extent_constraint_estimate(d, extent);
    parameter.set_stride_constraint(d, static_cast<int>(stride));
    stride *= extent;
  }
  // Vector loads and stores of whole rows need not ask.
  constexpr int kAlignment = 64;
  parameter.set_host_alignment(kAlignment);
}

// The most elements of a tensor: Halide's indices are 32 bits wide.
constexpr int64_t kMaxElements = std::numeric_limits<int32_t>::max();

absl::StatusOr<KernelArgument> MakeArgument(const std::string& name,
                                            const Region& region,
                                            Halide::Type type) {
  KernelArgument argument{.name = name, .shape = {}, .min = {}, .type = type};
  int64_t elements = 1;
  for (size_t d = region.size(); d-- > 0;) {
    argument.shape.push_back(region[d].Extent());
    argument.min.push_back(region[d].min);
    elements *= std::min(region[d].Extent(), kMaxElements + 1);
    elements = std::min(elements, kMaxElements + 1);
  }
  if (elements > kMaxElements) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", name, "' of shape ", absl::StrJoin(argument.shape, "x"),
        " has more than ", kMaxElements,
        " elements, which Halide's indices do not count: make it smaller"));
  }
  return argument;
}

// Inputs and outputs in the order of the DAG.
absl::StatusOr<std::vector<KernelArgument>> InputArguments(
    const PipelineRegions& regions) {
  std::vector<KernelArgument> arguments;
  for (const std::string& name : regions.inputs) {
    if (regions.images.contains(name)) continue;
    ASSIGN_OR_RETURN(arguments.emplace_back(),
                     MakeArgument(name, regions.regions.at(name),
                                  regions.input_types.at(name)));
  }
  return arguments;
}

absl::StatusOr<std::vector<KernelArgument>> OutputArguments(
    const Pipeline& pipeline, const PipelineRegions& regions) {
  std::set<std::string> outputs;
  for (const Halide::Func& output : pipeline.outputs())
    outputs.insert(output.name());
  std::vector<KernelArgument> arguments;
  for (const Halide::Internal::Function& function : regions.functions) {
    if (!outputs.contains(function.name())) continue;
    if (function.outputs() != 1) {
      return absl::UnimplementedError(
          absl::StrCat("output '", function.name(),
                       "' is a tuple: make each of its values an output of "
                       "its own"));
    }
    ASSIGN_OR_RETURN(
        arguments.emplace_back(),
        MakeArgument(function.name(), regions.regions.at(function.name()),
                     function.output_types()[0]));
  }
  return arguments;
}

// A fresh pipeline, unscheduled, with all shapes fixed and the outputs in the
// order of the arguments.
Pipeline MakePipeline(const std::vector<uint8_t>& bytes,
                      const std::vector<KernelArgument>& arguments) {
  std::map<std::string, Parameter> parameters =
      Halide::deserialize_parameters(bytes);
  Pipeline pipeline = Halide::deserialize_pipeline(bytes, parameters);
  std::map<std::string, const KernelArgument*> by_name;
  for (const KernelArgument& argument : arguments)
    by_name[argument.name] = &argument;
  for (const auto& [name, parameter] : parameters) {
    const auto found = by_name.find(name);
    if (found != by_name.end() && parameter.is_buffer())
      FixShape(parameter, *found->second);
  }
  std::map<std::string, Halide::Func> outputs;
  for (const Halide::Func& output : pipeline.outputs()) {
    FixShape(output.function().output_buffers()[0], *by_name.at(output.name()));
    outputs.emplace(output.name(), output);
  }
  std::vector<Halide::Func> ordered;
  for (const KernelArgument& argument : arguments) {
    const auto found = outputs.find(argument.name);
    if (found != outputs.end()) ordered.push_back(found->second);
  }
  return Pipeline(ordered);
}

// Runs `body`, and what Halide throws becomes a status.
template <typename Result>
absl::StatusOr<Result> Guarded(
    const std::function<absl::StatusOr<Result>()>& body) {
  try {
    return body();
  } catch (const Halide::Error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("Halide: ", absl::StripAsciiWhitespace(error.what())));
  }
}

// Collects what compiled code reports through its error handler.
struct CallContext : Halide::JITUserContext {
  std::string message;
  CallContext() {
    handlers.custom_error = [](Halide::JITUserContext* context,
                               const char* text) {
      static_cast<CallContext*>(context)->message = text;
    };
  }
};

}  // namespace

struct Kernel::Contents {
  Halide::Callable callable;
  std::vector<KernelArgument> arguments;
  std::vector<std::vector<halide_dimension_t>> dimensions;
};

int64_t KernelArgument::NumElements() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1},
                         std::multiplies<>());
}

absl::Status Kernel::Run(absl::Span<void* const> tensors) const {
  const Contents& c = *contents_;
  CHECK_EQ(tensors.size(), c.arguments.size());
  std::vector<halide_buffer_t> buffers(tensors.size());
  CallContext context;
  Halide::JITUserContext* context_pointer = &context;
  std::vector<const void*> argv = {static_cast<const void*>(&context_pointer)};
  for (size_t i = 0; i < buffers.size(); ++i) {
    halide_buffer_t& buffer = buffers[i];
    buffer = {};
    buffer.host = static_cast<uint8_t*>(tensors[i]);
    buffer.type = c.arguments[i].type;
    buffer.dimensions = static_cast<int32_t>(c.dimensions[i].size());
    // Halide does not write to them where sizes are known.
    buffer.dim = const_cast<halide_dimension_t*>(c.dimensions[i].data());
    argv.push_back(&buffer);
  }
  const int code = c.callable.call_argv_fast(argv.size(), argv.data());
  if (code == 0 && context.message.empty()) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("the kernel reports error ", code, ": ", context.message));
}

absl::StatusOr<WorkloadPipeline> WorkloadPipeline::Load(
    absl::string_view serialized) {
  return Guarded<WorkloadPipeline>([&]() -> absl::StatusOr<WorkloadPipeline> {
    WorkloadPipeline result;
    ASSIGN_OR_RETURN(const proto::StoredPipeline stored, Unseal(serialized));
    result.bytes_.assign(stored.halide().begin(), stored.halide().end());
    const Pipeline pipeline = Halide::deserialize_pipeline(
        result.bytes_, BoundedParameters(result.bytes_, stored));
    ASSIGN_OR_RETURN(AnalyzedPipeline analyzed, AnalyzePipeline(pipeline));
    ASSIGN_OR_RETURN(const PipelineRegions regions, FindRegions(pipeline));
    ASSIGN_OR_RETURN(result.arguments_, InputArguments(regions));
    result.num_inputs_ = static_cast<int>(result.arguments_.size());
    ASSIGN_OR_RETURN(std::vector<KernelArgument> outputs,
                     OutputArguments(pipeline, regions));
    for (KernelArgument& output : outputs)
      result.arguments_.push_back(std::move(output));
    result.analyzed_ =
        std::make_shared<const AnalyzedPipeline>(std::move(analyzed));
    return result;
  });
}

absl::StatusOr<Kernel> WorkloadPipeline::CompileWith(
    const Halide::Target& target,
    const std::function<absl::Status(Pipeline&)>& schedule) const {
  return Guarded<Kernel>([&]() -> absl::StatusOr<Kernel> {
    Pipeline pipeline = MakePipeline(bytes_, arguments_);
    RETURN_IF_ERROR(schedule(pipeline));
    std::map<std::string, Halide::Argument> inferred;
    for (const Halide::Argument& argument : pipeline.infer_arguments()) {
      inferred.emplace(argument.name, argument);
    }
    auto contents = std::make_shared<Kernel::Contents>();
    contents->arguments = arguments_;
    std::vector<Halide::Argument> inputs;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const KernelArgument& argument = arguments_[i];
      if (i < static_cast<size_t>(num_inputs_))
        inputs.push_back(inferred.at(argument.name));
      std::vector<halide_dimension_t>& dimensions =
          contents->dimensions.emplace_back();
      int64_t stride = 1;
      for (size_t d = argument.shape.size(); d-- > 0;) {
        dimensions.emplace_back(static_cast<int32_t>(argument.min[d]),
                                static_cast<int32_t>(argument.shape[d]),
                                static_cast<int32_t>(stride));
        stride *= argument.shape[d];
      }
    }
    contents->callable = pipeline.compile_to_callable(inputs, target);
    return Kernel(std::move(contents));
  });
}

absl::StatusOr<Kernel> WorkloadPipeline::Compile(
    const Schedule& schedule, const TargetSpec& target) const {
  ASSIGN_OR_RETURN(const std::vector<Directive> directives,
                   LowerSchedule(schedule, *analyzed_,
                                 static_cast<int>(target.units.simd_lanes)));
  // Sizes are constants, and no schedule reads or writes out of bounds (tails
  // are rounded up only where they are whole); checks would take a third of the
  // compile time. The worker's tensors lie between pages that must not be
  // touched.
  const Halide::Target halide_target =
      Halide::Target(target.halide_target)
          .with_feature(Halide::Target::NoBoundsQuery)
          .with_feature(Halide::Target::NoAsserts);
  return CompileWith(halide_target, [&](Pipeline& pipeline) {
    return ApplyDirectives(directives, pipeline);
  });
}

absl::StatusOr<Kernel> WorkloadPipeline::CompileReference() const {
  return CompileWith(Halide::get_host_target(), [&](Pipeline& pipeline) {
    for (auto& [name, func] : FuncsOf(pipeline)) {
      if (func.has_update_definition()) func.compute_root();
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<Kernel> WorkloadPipeline::CompileAutoscheduled(
    const std::string& autoscheduler, const TargetSpec& target) const {
  const Halide::Target halide_target(target.halide_target);
  return CompileWith(halide_target, [&](Pipeline& pipeline) {
    Halide::AutoschedulerParams params(autoscheduler);
    params.extra["parallelism"] = absl::StrCat(target.units.cores);
    // Autoschedulers plan for estimates, which are the sizes here.
    for (const Halide::Func& output : pipeline.outputs()) {
      Halide::Func func = output;
      for (const KernelArgument& argument : arguments_) {
        if (argument.name != func.name()) continue;
        for (int d = 0; d < func.dimensions(); ++d) {
          const size_t i = argument.shape.size() - 1 - d;
          func.set_estimate(func.args()[d], static_cast<int>(argument.min[i]),
                            static_cast<int>(argument.shape[i]));
        }
      }
    }
    pipeline.apply_autoscheduler(halide_target, params);
    return absl::OkStatus();
  });
}

absl::StatusOr<std::string> WorkloadPipeline::PrintCpp(
    const Schedule& schedule, const TargetSpec& target,
    const std::string& name) const {
  ASSIGN_OR_RETURN(const std::vector<Directive> directives,
                   LowerSchedule(schedule, *analyzed_,
                                 static_cast<int>(target.units.simd_lanes)));
  return PrintDirectives(directives, name);
}

absl::StatusOr<Workload> MakeWorkload(const std::string& name,
                                      const Pipeline& pipeline) {
  return Guarded<Workload>([&]() -> absl::StatusOr<Workload> {
    ASSIGN_OR_RETURN(AnalyzedPipeline analyzed, AnalyzePipeline(pipeline));
    ASSIGN_OR_RETURN(const PipelineRegions regions, FindRegions(pipeline));
    RETURN_IF_ERROR(InputArguments(regions).status());
    RETURN_IF_ERROR(OutputArguments(pipeline, regions).status());
    std::vector<uint8_t> bytes;
    Halide::serialize_pipeline(pipeline, bytes);
    proto::StoredPipeline stored;
    stored.set_halide(bytes.data(), bytes.size());
    for (const std::string& input_name : regions.inputs) {
      proto::StoredPipeline::Input& input = *stored.add_inputs();
      input.set_name(input_name);
      for (const Range& range : regions.regions.at(input_name)) {
        input.add_min(static_cast<int32_t>(range.min));
        input.add_extent(static_cast<int32_t>(range.Extent()));
      }
    }
    return Workload{
        .name = name, .pipeline = Seal(stored), .dag = std::move(analyzed.dag)};
  });
}

absl::Status LoadAutoschedulerPlugin(const std::string& path) {
  return Guarded<bool>([&]() -> absl::StatusOr<bool> {
           Halide::load_plugin(path);
           return true;
         })
      .status();
}

void SetKernelThreads(int threads) {
  Halide::Internal::JITSharedRuntime::set_num_threads(threads);
}

}  // namespace pruner
