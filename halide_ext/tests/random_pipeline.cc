#include "halide_ext/tests/random_pipeline.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "halide_ext/tests/random_definitions.h"
#include "halide_ext/tests/random_stages.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Func;

using Maker = void (*)(RandomDefinitions& d);

// Those of networks; those that are common count more.
constexpr Maker kMakers[] = {
    AddUnary,         AddBinary,       AddBinary,
    AddStencil,       AddStencil,      AddPad,
    AddReduction,     AddReduction,    AddContraction,
    AddContraction,   AddWindow,       AddWindow,
    AddTranspose,     AddGather,       AddResample,
    AddDetail,        AddTuplePair,    AddTupleReduction,
    AddRamp,          AddScan,         AddTwoUpdates,
    AddPartialUpdate, AddTriangularSum};

// What has other types than these, too.
constexpr Maker kTypedMakers[] = {AddFixedPoint, AddFixedPoint, AddParameter,
                                  AddHistogram};

void AddStage(RandomDefinitions& d) {
  d.DrawType();
  if (d.HasAllTypes() && d.rng().Chance(0.15)) {
    d.rng().Pick(kTypedMakers)(d);
  } else {
    d.rng().Pick(kMakers)(d);
  }
}

// The last Func, and sometimes others. Only Funcs of one value: tuples cannot
// be outputs.
std::vector<Func> ChooseOutputs(RandomDefinitions& d) {
  if (d.funcs().back().outputs() != 1) AddBinary(d);
  std::vector<Func> outputs;
  const bool several = d.rng().Chance(0.5);
  for (size_t i = 0; i < d.funcs().size(); ++i) {
    const bool last = i + 1 == d.funcs().size();
    Func output = d.funcs()[i];
    if (output.outputs() != 1) continue;
    if (!last && !(several && (!d.IsRead(i) || d.rng().Chance(0.15)))) continue;
    const Shape& shape = d.shape(i);
    for (size_t k = 0; k < shape.size(); ++k) {
      if (d.sizes() == Sizes::kEstimates) {
        output.set_estimate(output.args()[k], 0, shape[k]);
      } else {
        output.bound(output.args()[k], 0, shape[k]);
      }
    }
    outputs.push_back(output);
  }
  d.rng().Shuffle(outputs);
  return outputs;
}

std::string Text(const RandomDefinitions& d, absl::Span<const Func> outputs) {
  std::ostringstream text;
  for (size_t i = 0; i < d.funcs().size(); ++i) {
    const Halide::Internal::Function function = d.funcs()[i].function();
    text << function.name();
    for (const Halide::Type& type : function.output_types()) {
      if (type != Halide::Float(32)) text << " " << type;
    }
    text << " [";
    const Shape& shape = d.shape(i);
    for (size_t k = shape.size(); k-- > 0;)
      text << shape[k] << (k > 0 ? " x " : "");
    text << "]";
    for (const Func& output : outputs) {
      if (output.name() == function.name()) text << " (output)";
    }
    for (const Expr& value : function.values()) text << " = " << value;
    for (const auto& update : function.updates()) {
      text << "; over (";
      for (const auto& r : update.schedule().rvars())
        text << r.var << " " << r.min << "+" << r.extent << ", ";
      text << "):";
      for (const Expr& value : update.values()) text << " = " << value;
    }
    text << "\n";
  }
  return text.str();
}

}  // namespace

RandomPipeline MakeRandomPipeline(uint64_t seed,
                                  const RandomPipelineOptions& options) {
  RandomDefinitions d(seed, options);
  Rng& rng = d.rng();
  const int num_inputs = static_cast<int>(rng.Uniform(1, 3));
  for (int i = 0; i < num_inputs; ++i) d.AddInput(d.RandomShape());
  const auto num_stages = static_cast<size_t>(
      rng.Uniform(options.stages.least, options.stages.most));
  while (d.funcs().size() < num_stages) AddStage(d);
  const std::vector<Func> outputs = ChooseOutputs(d);
  return {.pipeline = Halide::Pipeline(outputs), .text = Text(d, outputs)};
}

}  // namespace pruner
