// Functions of elements, with NumPy's broadcasting.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/onnx/converters.h"
#include "models/onnx/node_import.h"
#include "models/operators/operators.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// `op` of the inputs, which are `arity`.
absl::Status ImportOperator(NodeImport& n, const Operator& op) {
  const int arity = KindOf(op).arity();
  if (n.inputs() != arity)
    return n.Error(absl::StrCat("has ", n.inputs(), " inputs, not ", arity));
  std::vector<OnnxValue> inputs(arity);
  for (int i = 0; i < arity; ++i) {
    ASSIGN_OR_RETURN(inputs[i], n.Input(i));
  }
  ASSIGN_OR_RETURN(OnnxValue result, n.Apply(op, inputs));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

template <typename Kind>
absl::Status ImportPlain(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  return ImportOperator(n, Kind{});
}

// An attribute and what it is if the node does not have it.
struct Attribute {
  absl::string_view name;
  float otherwise;
};

// The attributes of a kind are fields of the same names.
template <typename Kind>
absl::Status ImportWithAttributes(NodeImport& n,
                                  const std::vector<Attribute>& attributes) {
  std::vector<absl::string_view> names;
  for (const Attribute& attribute : attributes) names.push_back(attribute.name);
  RETURN_IF_ERROR(n.node().CheckAttributes(names));
  Kind op;
  absl::Status status;
  VisitAttributes(op, [&](absl::string_view name, double& field) {
    for (const Attribute& attribute : attributes) {
      if (attribute.name != name) continue;
      const absl::StatusOr<float> value =
          n.node().Float(name, attribute.otherwise);
      status.Update(value.status());
      if (value.ok()) field = *value;
    }
  });
  RETURN_IF_ERROR(status);
  return ImportOperator(n, op);
}

absl::Status ImportGelu(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"approximate"}));
  ASSIGN_OR_RETURN(const std::string approximate,
                   n.node().String("approximate", "none"));
  if (approximate == "none") return ImportOperator(n, Gelu{});
  if (approximate != "tanh")
    return n.Error(absl::StrCat("has approximate = \"", approximate, "\""));
  // x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))), of Hendrycks and
  // Gimpel, Gaussian Error Linear Units (2016), section 2.
  ASSIGN_OR_RETURN(const OnnxValue x, n.Input(0));
  const auto scalar = [](double value) {
    return KnownScalar(value, DataType::kFloat32);
  };
  ASSIGN_OR_RETURN(OnnxValue y, n.Apply(Mul{}, {x, x}));
  ASSIGN_OR_RETURN(y, n.Apply(Mul{}, {y, scalar(0.044715)}));
  ASSIGN_OR_RETURN(y, n.Apply(Add{}, {y, scalar(1)}));
  ASSIGN_OR_RETURN(y, n.Apply(Mul{}, {x, y}));
  ASSIGN_OR_RETURN(y, n.Apply(Mul{}, {y, scalar(std::sqrt(2 / M_PI))}));
  ASSIGN_OR_RETURN(y, n.Apply(Tanh{}, {y}));
  ASSIGN_OR_RETURN(y, n.Apply(Add{}, {y, scalar(1)}));
  ASSIGN_OR_RETURN(y, n.Apply(Mul{}, {x, y}));
  ASSIGN_OR_RETURN(y, n.Apply(Mul{}, {y, scalar(0.5)}));
  n.SetOutput(0, y);
  return absl::OkStatus();
}

// A bound of a Clip: an attribute before version 11, then an input.
absl::StatusOr<std::optional<OnnxValue>> Bound(const NodeImport& n,
                                               absl::string_view attribute,
                                               size_t index) {
  if (n.node().Has(attribute)) {
    ASSIGN_OR_RETURN(const float value, n.node().Float(attribute));
    return KnownScalar(value, DataType::kFloat32);
  }
  if (!n.HasInput(index)) return std::nullopt;
  ASSIGN_OR_RETURN(OnnxValue value, n.Input(index));
  return value;
}

// Its only number, if that is known.
std::optional<double> NumberIn(const std::optional<OnnxValue>& value) {
  if (!value.has_value() || value->floats == nullptr ||
      value->floats->size() != 1) {
    return std::nullopt;
  }
  return (*value->floats)[0];
}

absl::Status ImportClip(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"min", "max"}));
  ASSIGN_OR_RETURN(OnnxValue x, n.Input(0));
  ASSIGN_OR_RETURN(const std::optional<OnnxValue> low, Bound(n, "min", 1));
  ASSIGN_OR_RETURN(const std::optional<OnnxValue> high, Bound(n, "max", 2));
  const std::optional<double> lowest = NumberIn(low), highest = NumberIn(high);
  if (lowest == 0.0 && highest == 6.0) {
    ASSIGN_OR_RETURN(x, n.Apply(Relu6{}, {x}));
  } else if (lowest.has_value() && highest.has_value() &&
             std::isfinite(*lowest) && std::isfinite(*highest) &&
             *lowest <= *highest) {
    ASSIGN_OR_RETURN(x, n.Apply(Clip{*lowest, *highest}, {x}));
  } else {
    if (low.has_value()) {
      ASSIGN_OR_RETURN(x, n.Apply(Max{}, {x, *low}));
    }
    if (high.has_value()) {
      ASSIGN_OR_RETURN(x, n.Apply(Min{}, {x, *high}));
    }
  }
  n.SetOutput(0, x);
  return absl::OkStatus();
}

absl::Status ImportDiv(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  ASSIGN_OR_RETURN(const OnnxValue left, n.Input(0));
  return left.type == DataType::kInt64 ? ImportOperator(n, IntDiv{})
                                       : ImportOperator(n, Div{});
}

absl::Status ImportMod(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"fmod"}));
  ASSIGN_OR_RETURN(const int64_t fmod, n.node().Int("fmod", 0));
  return fmod != 0 ? ImportOperator(n, FloatMod{}) : ImportOperator(n, Mod{});
}

// The result has the type of the base, whatever the exponent's is.
absl::Status ImportPow(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  ASSIGN_OR_RETURN(OnnxValue base, n.Input(0));
  ASSIGN_OR_RETURN(OnnxValue exponent, n.Input(1));
  const DataType type = base.type;
  if (type != DataType::kFloat32) {
    ASSIGN_OR_RETURN(base, n.Apply(CastToFloat{}, {base}));
  }
  if (exponent.type != DataType::kFloat32) {
    ASSIGN_OR_RETURN(exponent, n.Apply(CastToFloat{}, {exponent}));
  }
  OnnxValue power;
  if (NumberIn(exponent) == 2.0) {
    ASSIGN_OR_RETURN(power, n.Apply(Mul{}, {base, base}));
  } else if (NumberIn(exponent) == 0.5) {
    ASSIGN_OR_RETURN(power, n.Apply(Sqrt{}, {base}));
  } else {
    ASSIGN_OR_RETURN(power, n.Apply(Pow{}, {base, exponent}));
  }
  if (type == DataType::kInt64) {
    ASSIGN_OR_RETURN(power, n.Apply(CastToInt64{}, {power}));
  }
  n.SetOutput(0, power);
  return absl::OkStatus();
}

// Of any number of inputs.
template <typename Kind>
absl::StatusOr<OnnxValue> Combine(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  ASSIGN_OR_RETURN(OnnxValue result, n.Input(0));
  for (int i = 1; i < n.inputs(); ++i) {
    ASSIGN_OR_RETURN(const OnnxValue next, n.Input(i));
    ASSIGN_OR_RETURN(result, n.Apply(Kind{}, {result, next}));
  }
  return result;
}

template <typename Kind>
absl::Status ImportCombined(NodeImport& n) {
  ASSIGN_OR_RETURN(OnnxValue result, Combine<Kind>(n));
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

absl::Status ImportMean(NodeImport& n) {
  ASSIGN_OR_RETURN(OnnxValue result, Combine<Add>(n));
  if (n.inputs() > 1) {
    ASSIGN_OR_RETURN(result,
                     n.Apply(Mul{}, {result, KnownScalar(1.0 / n.inputs(),
                                                         DataType::kFloat32)}));
  }
  n.SetOutput(0, std::move(result));
  return absl::OkStatus();
}

}  // namespace

void AddElementwiseConverters(Converters& converters) {
  converters.insert({{"Abs", ImportPlain<Abs>},
                     {"Acos", ImportPlain<Acos>},
                     {"Acosh", ImportPlain<Acosh>},
                     {"Add", ImportPlain<Add>},
                     {"And", ImportPlain<And>},
                     {"Asin", ImportPlain<Asin>},
                     {"Asinh", ImportPlain<Asinh>},
                     {"Atan", ImportPlain<Atan>},
                     {"Atanh", ImportPlain<Atanh>},
                     {"Ceil", ImportPlain<Ceil>},
                     {"Clip", ImportClip},
                     {"Cos", ImportPlain<Cos>},
                     {"Cosh", ImportPlain<Cosh>},
                     {"Div", ImportDiv},
                     {"Equal", ImportPlain<Equal>},
                     {"Erf", ImportPlain<Erf>},
                     {"Exp", ImportPlain<Exp>},
                     {"Floor", ImportPlain<Floor>},
                     {"Gelu", ImportGelu},
                     {"Greater", ImportPlain<Greater>},
                     {"GreaterOrEqual", ImportPlain<GreaterOrEqual>},
                     {"HardSwish", ImportPlain<HardSwish>},
                     {"IsNaN", ImportPlain<IsNan>},
                     {"Less", ImportPlain<Less>},
                     {"LessOrEqual", ImportPlain<LessOrEqual>},
                     {"Log", ImportPlain<Log>},
                     {"Max", ImportCombined<Max>},
                     {"Mean", ImportMean},
                     {"Min", ImportCombined<Min>},
                     {"Mish", ImportPlain<Mish>},
                     {"Mod", ImportMod},
                     {"Mul", ImportPlain<Mul>},
                     {"Neg", ImportPlain<Neg>},
                     {"Not", ImportPlain<Not>},
                     {"Or", ImportPlain<Or>},
                     {"PRelu", ImportPlain<PRelu>},
                     {"Pow", ImportPow},
                     {"Reciprocal", ImportPlain<Reciprocal>},
                     {"Relu", ImportPlain<Relu>},
                     {"Round", ImportPlain<Round>},
                     {"Sigmoid", ImportPlain<Sigmoid>},
                     {"Sign", ImportPlain<Sign>},
                     {"Sin", ImportPlain<Sin>},
                     {"Sinh", ImportPlain<Sinh>},
                     {"Softplus", ImportPlain<Softplus>},
                     {"Softsign", ImportPlain<Softsign>},
                     {"Sqrt", ImportPlain<Sqrt>},
                     {"Sub", ImportPlain<Sub>},
                     {"Sum", ImportCombined<Add>},
                     {"Tan", ImportPlain<Tan>},
                     {"Tanh", ImportPlain<Tanh>},
                     {"Where", ImportPlain<Where>},
                     {"Xor", ImportPlain<Xor>}});
  converters["Celu"] = [](NodeImport& n) {
    return ImportWithAttributes<Celu>(n, {{"alpha", 1}});
  };
  converters["Elu"] = [](NodeImport& n) {
    return ImportWithAttributes<Elu>(n, {{"alpha", 1}});
  };
  converters["HardSigmoid"] = [](NodeImport& n) {
    return ImportWithAttributes<HardSigmoid>(n,
                                             {{"alpha", 0.2f}, {"beta", 0.5f}});
  };
  converters["LeakyRelu"] = [](NodeImport& n) {
    return ImportWithAttributes<LeakyRelu>(n, {{"alpha", 0.01f}});
  };
  converters["Selu"] = [](NodeImport& n) {
    return ImportWithAttributes<Selu>(n,
                                      {{"alpha", 1.67326319217681884765625f},
                                       {"gamma", 1.05070102214813232421875f}});
  };
  converters["Shrink"] = [](NodeImport& n) {
    return ImportWithAttributes<Shrink>(n, {{"bias", 0}, {"lambd", 0.5f}});
  };
  converters["Swish"] = [](NodeImport& n) {
    return ImportWithAttributes<Swish>(n, {{"alpha", 1}});
  };
  converters["ThresholdedRelu"] = [](NodeImport& n) {
    return ImportWithAttributes<ThresholdedRelu>(n, {{"alpha", 1}});
  };
}

}  // namespace pruner
