// The tensor operators: plain data that knows what it is. Every operator has
// one output. See operator_kind.h for how one is written.
#ifndef MODELS_OPERATORS_OPERATORS_H_
#define MODELS_OPERATORS_OPERATORS_H_

#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "models/operators/add.h"
#include "models/operators/arithmetic.h"
#include "models/operators/avg_pool2d.h"
#include "models/operators/batch_norm.h"
#include "models/operators/bias_add.h"
#include "models/operators/cast.h"
#include "models/operators/clip.h"
#include "models/operators/comparison.h"
#include "models/operators/concat.h"
#include "models/operators/conv2d.h"
#include "models/operators/conv3d.h"
#include "models/operators/conv_transpose2d.h"
#include "models/operators/cum_sum.h"
#include "models/operators/data_type.h"
#include "models/operators/dense.h"
#include "models/operators/elu.h"
#include "models/operators/expand.h"
#include "models/operators/exponential.h"
#include "models/operators/gather.h"
#include "models/operators/gelu.h"
#include "models/operators/global_avg_pool.h"
#include "models/operators/global_max_pool.h"
#include "models/operators/hard_sigmoid.h"
#include "models/operators/hard_swish.h"
#include "models/operators/hyperbolic.h"
#include "models/operators/is_nan.h"
#include "models/operators/layer_norm.h"
#include "models/operators/leaky_relu.h"
#include "models/operators/logic.h"
#include "models/operators/lrn.h"
#include "models/operators/mat_mul.h"
#include "models/operators/max_pool2d.h"
#include "models/operators/mish.h"
#include "models/operators/one_hot.h"
#include "models/operators/operator_kind.h"
#include "models/operators/pad.h"
#include "models/operators/pool.h"
#include "models/operators/pow.h"
#include "models/operators/prelu.h"
#include "models/operators/reduce.h"
#include "models/operators/relu.h"
#include "models/operators/remainder.h"
#include "models/operators/reshape.h"
#include "models/operators/resize.h"
#include "models/operators/rounding.h"
#include "models/operators/selu.h"
#include "models/operators/shape.h"
#include "models/operators/shrink.h"
#include "models/operators/sigmoid.h"
#include "models/operators/sign.h"
#include "models/operators/silu.h"
#include "models/operators/slice.h"
#include "models/operators/softmax.h"
#include "models/operators/softplus.h"
#include "models/operators/softsign.h"
#include "models/operators/swish.h"
#include "models/operators/tanh.h"
#include "models/operators/top_k.h"
#include "models/operators/transpose.h"
#include "models/operators/trigonometry.h"
#include "models/operators/trilu.h"
#include "models/operators/where.h"

namespace pruner {

// The table of kinds.
using Operator = std::variant<
    Conv2d, Dense, BatchNorm, BiasAdd, Relu, Relu6, Add, MaxPool2d, AvgPool2d,
    GlobalAvgPool, Reshape, Softmax, Identity, LeakyRelu, Elu, Sigmoid,
    HardSigmoid, HardSwish, Silu, Tanh, Gelu, Softplus, Clip, Sub, Mul, Div,
    IntDiv, Min, Max, Mod, FloatMod, Pow, PRelu, Neg, Abs, Sign, Floor, Ceil,
    Round, Exp, Log, Sqrt, Reciprocal, Erf, Sin, Cos, Tan, Asin, Acos, Atan,
    Sinh, Cosh, Asinh, Acosh, Atanh, Selu, Celu, Mish, Softsign,
    ThresholdedRelu, Shrink, Swish, Equal, Greater, GreaterOrEqual, Less,
    LessOrEqual, And, Or, Xor, Not, Where, CastToFloat, CastToInt64, CastToBool,
    MatMul, LayerNorm, RmsNorm, Normalize, Transpose, Concat, Slice, Expand,
    Pad, Gather, GatherElements, GatherNd, Conv3d, ConvTranspose2d, Pool,
    ArgMaxPool, Lrn, GlobalMaxPool, Reduce, ArgReduce, Resize, CumSum,
    TopKValues, TopKIndices, OneHot, Trilu, IsNan>;

const OperatorKind& KindOf(const Operator& op);

// Kind and attributes: "Conv2d(stride=2,2 padding=3,3,3,3 dilation=1,1
// groups=1)"; h before w; padding is top, left, bottom, right. Equal operators,
// and only they, have equal text.
std::string OperatorText(const Operator& op);

// The type of the elements of the operator's output. InvalidArgument, naming
// the input, when it takes no inputs of these types, which are as many as it
// has.
absl::StatusOr<DataType> InferType(const Operator& op, DataTypes inputs);

// The shape of the operator's output. InvalidArgument when the number of
// inputs, their shapes or the attributes do not fit together; the message says
// which and why, and leaves naming the node to the caller. Input shapes have
// passed CheckShape; so has the result.
absl::StatusOr<Shape> InferShape(const Operator& op, Shapes inputs);

// Arithmetic operations of one execution: a multiplication, an addition, a
// maximum, a division and an exponential count 1 each, so a multiply-add
// counts 2. Windows count whole, padding included, as is usual for
// convolutions. Shapes are those InferShape accepts and returns.
double CountFlops(const Operator& op, Shapes inputs, const Shape& output);

// How many terms there are in the longest sum on which an element of the output
// depends: rounding errors grow with it. Shapes are those InferShape accepts.
double SumLength(const Operator& op, Shapes inputs, const Shape& output);

// The operator's output, of shape `output_shape`, in double precision and the
// obvious way: the definition that generated code is compared with. Shapes are
// those InferShape accepts and returns. Convolutions and matrix products share
// their rows among `threads` threads; the result does not depend on how many.
Array EvaluateOperator(const Operator& op, Arrays inputs,
                       const Shape& output_shape, int threads);

// The name of tasks that begin with it, without shapes: "conv2d_3x3_s2",
// "relu".
std::string TaskText(const Operator& op, Shapes inputs);

}  // namespace pruner

#endif  // MODELS_OPERATORS_OPERATORS_H_
