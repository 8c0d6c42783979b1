#include "halide_ext/build/pipeline_parameters.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "halide_ext/analyze/functions_of.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Parameter;
using namespace Halide::Internal;

class ParameterCollector : public IRGraphVisitor {
 public:
  std::map<std::string, Parameter> found;

  void Add(const Parameter& parameter) {
    if (parameter.defined()) found.emplace(parameter.name(), parameter);
  }

 protected:
  using IRGraphVisitor::visit;
  void visit(const Call* op) override {
    Add(op->param);
    IRGraphVisitor::visit(op);
  }
  void visit(const Variable* op) override { Add(op->param); }
};

std::optional<int32_t> AsInt(const Expr& e) {
  if (!e.defined()) return std::nullopt;
  const auto value = as_const_int(simplify(e));
  if (!value) return std::nullopt;
  return static_cast<int32_t>(*value);
}

// False: not all is known.
bool StoreSizes(const Parameter& buffer, proto::StoredPipeline::Input& input) {
  input.set_name(buffer.name());
  for (int d = 0; d < buffer.dimensions(); ++d) {
    const auto min = AsInt(buffer.min_constraint(d));
    const auto extent = AsInt(buffer.extent_constraint(d));
    const auto min_estimate = AsInt(buffer.min_constraint_estimate(d));
    const auto extent_estimate = AsInt(buffer.extent_constraint_estimate(d));
    const bool is_bounded = min && extent;
    if (!is_bounded && !(min_estimate && extent_estimate)) return false;
    input.add_min(is_bounded ? *min : *min_estimate);
    input.add_extent(is_bounded ? *extent : *extent_estimate);
    input.add_is_estimate(!is_bounded);
  }
  return true;
}

// False: there is nothing to tell its value by.
bool StoreNumber(const Parameter& parameter,
                 proto::StoredPipeline::Number& number) {
  number.set_name(parameter.name());
  Expr value = parameter.estimate();
  if (!value.defined()) value = parameter.default_value();
  if (!value.defined()) return false;
  value = simplify(value);
  if (const auto integer = as_const_int(value)) {
    number.set_integer(*integer);
  } else if (const auto natural = as_const_uint(value)) {
    number.set_integer(static_cast<int64_t>(*natural));
  } else if (const auto real = as_const_float(value)) {
    number.set_real(*real);
  }
  return number.value_case() != proto::StoredPipeline::Number::VALUE_NOT_SET;
}

void SetSizes(const proto::StoredPipeline::Input& input, Parameter& buffer) {
  for (int d = 0; d < input.min_size(); ++d) {
    if (d < input.is_estimate_size() && input.is_estimate(d)) {
      buffer.set_min_constraint_estimate(d, input.min(d));
      buffer.set_extent_constraint_estimate(d, input.extent(d));
    } else {
      buffer.set_min_constraint(d, input.min(d));
      buffer.set_extent_constraint(d, input.extent(d));
    }
  }
}

std::vector<uint8_t> BytesOf(const proto::StoredPipeline& stored) {
  return {stored.halide().begin(), stored.halide().end()};
}

}  // namespace

std::map<std::string, Parameter> ParametersOf(
    const Halide::Pipeline& pipeline) {
  ParameterCollector collector;
  for (const auto& [name, function] : FunctionsOf(pipeline)) {
    function.accept(&collector);
    for (const Halide::ExternFuncArgument& argument :
         function.extern_arguments()) {
      if (argument.is_image_param()) collector.Add(argument.image_param);
    }
  }
  return collector.found;
}

proto::StoredPipeline StorePipeline(const Halide::Pipeline& pipeline,
                                    Sizes sizes) {
  proto::StoredPipeline stored;
  std::vector<uint8_t> bytes;
  Halide::serialize_pipeline(pipeline, bytes);
  stored.set_halide(bytes.data(), bytes.size());
  if (sizes == Sizes::kExact) return stored;
  stored.set_sizes_are_estimates(true);
  for (const auto& [name, parameter] : ParametersOf(pipeline)) {
    if (parameter.is_buffer()) {
      if (!StoreSizes(parameter, *stored.add_inputs()))
        stored.mutable_inputs()->RemoveLast();
    } else if (!StoreNumber(parameter, *stored.add_numbers())) {
      stored.mutable_numbers()->RemoveLast();
    }
  }
  return stored;
}

std::map<std::string, Parameter> StoredParameters(
    const proto::StoredPipeline& stored) {
  std::map<std::string, Parameter> parameters =
      Halide::deserialize_parameters(BytesOf(stored));
  for (const proto::StoredPipeline::Input& input : stored.inputs()) {
    // There is none of an image that is part of the pipeline.
    const auto found = parameters.find(input.name());
    if (found != parameters.end()) SetSizes(input, found->second);
  }
  for (const proto::StoredPipeline::Number& number : stored.numbers()) {
    const auto found = parameters.find(number.name());
    if (found == parameters.end()) continue;
    const Halide::Type type = found->second.type();
    found->second.set_estimate(number.has_real()
                                   ? make_const(type, number.real())
                                   : make_const(type, number.integer()));
  }
  return parameters;
}

Halide::Pipeline DeserializePipeline(
    const proto::StoredPipeline& stored,
    const std::map<std::string, Parameter>& parameters) {
  return Halide::deserialize_pipeline(BytesOf(stored), parameters);
}

Halide::Pipeline DeserializePipeline(const proto::StoredPipeline& stored) {
  return DeserializePipeline(stored, StoredParameters(stored));
}

Sizes SizesOf(const proto::StoredPipeline& stored) {
  return stored.sizes_are_estimates() ? Sizes::kEstimates : Sizes::kExact;
}

}  // namespace pruner
