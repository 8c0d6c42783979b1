#include "models/graph/operator_proto.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

void ToProto(const Extent2d& extent, Extent2dProto* proto) {
  proto->set_h(extent.h);
  proto->set_w(extent.w);
}

void ToProto(const Padding2d& padding, Padding2dProto* proto) {
  proto->set_top(padding.top);
  proto->set_left(padding.left);
  proto->set_bottom(padding.bottom);
  proto->set_right(padding.right);
}

void ToProto(const Conv2d& op, NodeProto& node) {
  Conv2dProto* proto = node.mutable_conv2d();
  ToProto(op.stride, proto->mutable_stride());
  ToProto(op.padding, proto->mutable_padding());
  ToProto(op.dilation, proto->mutable_dilation());
  proto->set_groups(op.groups);
}

void ToProto(const Dense&, NodeProto& node) { node.mutable_dense(); }

void ToProto(const BatchNorm& op, NodeProto& node) {
  node.mutable_batch_norm()->set_epsilon(op.epsilon);
}

void ToProto(const BiasAdd&, NodeProto& node) { node.mutable_bias_add(); }

void ToProto(const Relu&, NodeProto& node) { node.mutable_relu(); }

void ToProto(const Add&, NodeProto& node) { node.mutable_add(); }

void ToProto(const MaxPool2d& op, NodeProto& node) {
  MaxPool2dProto* proto = node.mutable_max_pool2d();
  ToProto(op.kernel, proto->mutable_kernel());
  ToProto(op.stride, proto->mutable_stride());
  ToProto(op.padding, proto->mutable_padding());
}

void ToProto(const AvgPool2d& op, NodeProto& node) {
  AvgPool2dProto* proto = node.mutable_avg_pool2d();
  ToProto(op.kernel, proto->mutable_kernel());
  ToProto(op.stride, proto->mutable_stride());
  ToProto(op.padding, proto->mutable_padding());
  proto->set_count_include_pad(op.count_include_pad);
}

void ToProto(const GlobalAvgPool&, NodeProto& node) {
  node.mutable_global_avg_pool();
}

void ToProto(const Reshape& op, NodeProto& node) {
  node.mutable_reshape()->mutable_shape()->Add(op.shape.begin(),
                                               op.shape.end());
}

void ToProto(const Softmax& op, NodeProto& node) {
  node.mutable_softmax()->set_axis(op.axis);
}

void ToProto(const Identity&, NodeProto& node) { node.mutable_identity(); }

Extent2d FromProto(bool given, const Extent2dProto& proto) {
  return given ? Extent2d{proto.h(), proto.w()} : Extent2d{};
}

Padding2d FromProto(const Padding2dProto& proto) {
  return {proto.top(), proto.left(), proto.bottom(), proto.right()};
}

Conv2d FromProto(const Conv2dProto& proto) {
  return {.stride = FromProto(proto.has_stride(), proto.stride()),
          .padding = FromProto(proto.padding()),
          .dilation = FromProto(proto.has_dilation(), proto.dilation()),
          .groups = proto.has_groups() ? proto.groups() : 1};
}

BatchNorm FromProto(const BatchNormProto& proto) {
  return proto.has_epsilon() ? BatchNorm{proto.epsilon()} : BatchNorm{};
}

MaxPool2d FromProto(const MaxPool2dProto& proto) {
  return {.kernel = FromProto(proto.has_kernel(), proto.kernel()),
          .stride = FromProto(proto.has_stride(), proto.stride()),
          .padding = FromProto(proto.padding())};
}

AvgPool2d FromProto(const AvgPool2dProto& proto) {
  return {.kernel = FromProto(proto.has_kernel(), proto.kernel()),
          .stride = FromProto(proto.has_stride(), proto.stride()),
          .padding = FromProto(proto.padding()),
          .count_include_pad = proto.count_include_pad()};
}

}  // namespace

void OperatorToProto(const Operator& op, NodeProto& node) {
  std::visit([&](const auto& kind) { ToProto(kind, node); }, op);
}

absl::StatusOr<Operator> OperatorFromProto(const NodeProto& node) {
  switch (node.op_case()) {
    case NodeProto::kConv2D:
      return FromProto(node.conv2d());
    case NodeProto::kDense:
      return Dense{};
    case NodeProto::kBatchNorm:
      return FromProto(node.batch_norm());
    case NodeProto::kBiasAdd:
      return BiasAdd{};
    case NodeProto::kRelu:
      return Relu{};
    case NodeProto::kAdd:
      return Add{};
    case NodeProto::kMaxPool2D:
      return FromProto(node.max_pool2d());
    case NodeProto::kAvgPool2D:
      return FromProto(node.avg_pool2d());
    case NodeProto::kGlobalAvgPool:
      return GlobalAvgPool{};
    case NodeProto::kReshape:
      return Reshape{
          {node.reshape().shape().begin(), node.reshape().shape().end()}};
    case NodeProto::kSoftmax:
      return Softmax{node.softmax().axis()};
    case NodeProto::kIdentity:
      return Identity{};
    case NodeProto::OP_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("node \"", node.name(), "\" has no operator"));
}

}  // namespace pruner
