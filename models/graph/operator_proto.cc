#include "models/graph/operator_proto.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

void ToProto(const Extent2d& extent, proto::Extent2d* proto) {
  proto->set_h(extent.h);
  proto->set_w(extent.w);
}

void ToProto(const Padding2d& padding, proto::Padding2d* proto) {
  proto->set_top(padding.top);
  proto->set_left(padding.left);
  proto->set_bottom(padding.bottom);
  proto->set_right(padding.right);
}

void ToProto(const Conv2d& op, proto::Node& node) {
  proto::Conv2d* proto = node.mutable_conv2d();
  ToProto(op.stride, proto->mutable_stride());
  ToProto(op.padding, proto->mutable_padding());
  ToProto(op.dilation, proto->mutable_dilation());
  proto->set_groups(op.groups);
}

void ToProto(const Dense&, proto::Node& node) { node.mutable_dense(); }

void ToProto(const BatchNorm& op, proto::Node& node) {
  node.mutable_batch_norm()->set_epsilon(op.epsilon);
}

void ToProto(const BiasAdd&, proto::Node& node) { node.mutable_bias_add(); }

void ToProto(const Relu&, proto::Node& node) { node.mutable_relu(); }

void ToProto(const Relu6&, proto::Node& node) { node.mutable_relu6(); }

void ToProto(const Add&, proto::Node& node) { node.mutable_add(); }

void ToProto(const MaxPool2d& op, proto::Node& node) {
  proto::MaxPool2d* proto = node.mutable_max_pool2d();
  ToProto(op.kernel, proto->mutable_kernel());
  ToProto(op.stride, proto->mutable_stride());
  ToProto(op.padding, proto->mutable_padding());
}

void ToProto(const AvgPool2d& op, proto::Node& node) {
  proto::AvgPool2d* proto = node.mutable_avg_pool2d();
  ToProto(op.kernel, proto->mutable_kernel());
  ToProto(op.stride, proto->mutable_stride());
  ToProto(op.padding, proto->mutable_padding());
  proto->set_count_include_pad(op.count_include_pad);
}

void ToProto(const GlobalAvgPool&, proto::Node& node) {
  node.mutable_global_avg_pool();
}

void ToProto(const Reshape& op, proto::Node& node) {
  node.mutable_reshape()->mutable_shape()->Add(op.shape.begin(),
                                               op.shape.end());
}

void ToProto(const Softmax& op, proto::Node& node) {
  node.mutable_softmax()->set_axis(op.axis);
}

void ToProto(const Identity&, proto::Node& node) { node.mutable_identity(); }

Extent2d FromProto(bool given, const proto::Extent2d& proto) {
  return given ? Extent2d{proto.h(), proto.w()} : Extent2d{};
}

Padding2d FromProto(const proto::Padding2d& proto) {
  return {proto.top(), proto.left(), proto.bottom(), proto.right()};
}

Conv2d FromProto(const proto::Conv2d& proto) {
  return {.stride = FromProto(proto.has_stride(), proto.stride()),
          .padding = FromProto(proto.padding()),
          .dilation = FromProto(proto.has_dilation(), proto.dilation()),
          .groups = proto.has_groups() ? proto.groups() : 1};
}

BatchNorm FromProto(const proto::BatchNorm& proto) {
  return proto.has_epsilon() ? BatchNorm{proto.epsilon()} : BatchNorm{};
}

MaxPool2d FromProto(const proto::MaxPool2d& proto) {
  return {.kernel = FromProto(proto.has_kernel(), proto.kernel()),
          .stride = FromProto(proto.has_stride(), proto.stride()),
          .padding = FromProto(proto.padding())};
}

AvgPool2d FromProto(const proto::AvgPool2d& proto) {
  return {.kernel = FromProto(proto.has_kernel(), proto.kernel()),
          .stride = FromProto(proto.has_stride(), proto.stride()),
          .padding = FromProto(proto.padding()),
          .count_include_pad = proto.count_include_pad()};
}

}  // namespace

void OperatorToProto(const Operator& op, proto::Node& node) {
  std::visit([&](const auto& kind) { ToProto(kind, node); }, op);
}

absl::StatusOr<Operator> OperatorFromProto(const proto::Node& node) {
  switch (node.op_case()) {
    case proto::Node::kConv2D:
      return FromProto(node.conv2d());
    case proto::Node::kDense:
      return Dense{};
    case proto::Node::kBatchNorm:
      return FromProto(node.batch_norm());
    case proto::Node::kBiasAdd:
      return BiasAdd{};
    case proto::Node::kRelu:
      return Relu{};
    case proto::Node::kRelu6:
      return Relu6{};
    case proto::Node::kAdd:
      return Add{};
    case proto::Node::kMaxPool2D:
      return FromProto(node.max_pool2d());
    case proto::Node::kAvgPool2D:
      return FromProto(node.avg_pool2d());
    case proto::Node::kGlobalAvgPool:
      return GlobalAvgPool{};
    case proto::Node::kReshape:
      return Reshape{
          {node.reshape().shape().begin(), node.reshape().shape().end()}};
    case proto::Node::kSoftmax:
      return Softmax{node.softmax().axis()};
    case proto::Node::kIdentity:
      return Identity{};
    case proto::Node::OP_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("node \"", node.name(), "\" has no operator"));
}

}  // namespace pruner
