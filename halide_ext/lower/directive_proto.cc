#include "halide_ext/lower/directive_proto.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// `last` is the largest enumerator.
template <typename Enum>
absl::StatusOr<Enum> EnumOf(int32_t number, Enum last, absl::string_view what) {
  if (number < 0 || number > static_cast<int32_t>(last)) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no ", what, " ", number, " of a directive"));
  }
  return static_cast<Enum>(number);
}

}  // namespace

proto::Directive ToProto(const Directive& directive) {
  proto::Directive message;
  message.set_kind(static_cast<int32_t>(directive.kind));
  message.set_func(directive.func);
  message.set_update(directive.update);
  for (const LoopName& loop : directive.loops) {
    proto::Directive::LoopName& added = *message.add_loops();
    added.set_name(loop.name);
    added.set_is_rvar(loop.is_rvar);
  }
  message.set_factor(directive.factor);
  if (directive.min) message.mutable_min()->set_value(*directive.min);
  message.set_tail(static_cast<int32_t>(directive.tail));
  message.set_target(directive.target);
  message.set_new_func(directive.new_func);
  for (const std::string& reader : directive.readers)
    message.add_readers(reader);
  message.set_storage(static_cast<int32_t>(directive.storage));
  for (const LeastExtent& least : directive.least) {
    proto::Directive::LeastExtent& added = *message.add_least();
    added.set_output(least.output);
    added.set_dimension(least.dimension);
    added.set_extent(least.extent);
  }
  return message;
}

absl::StatusOr<Directive> FromProto(const proto::Directive& message) {
  Directive directive = {
      .func = message.func(),
      .update = message.update(),
      .loops = {},
      .factor = message.factor(),
      .target = message.target(),
      .new_func = message.new_func(),
      .readers = {message.readers().begin(), message.readers().end()}};
  ASSIGN_OR_RETURN(
      directive.kind,
      EnumOf(message.kind(), DirectiveKind::kOnlySpecialized, "kind"));
  for (const proto::Directive::LoopName& loop : message.loops())
    directive.loops.push_back({.name = loop.name(), .is_rvar = loop.is_rvar()});
  if (message.has_min()) directive.min = message.min().value();
  ASSIGN_OR_RETURN(directive.tail,
                   EnumOf(message.tail(), Tail::kShiftInwards, "tail"));
  ASSIGN_OR_RETURN(directive.storage,
                   EnumOf(message.storage(), Storage::kHeap, "storage"));
  for (const proto::Directive::LeastExtent& least : message.least()) {
    directive.least.push_back({.output = least.output(),
                               .dimension = least.dimension(),
                               .extent = least.extent()});
  }
  return directive;
}

}  // namespace pruner
