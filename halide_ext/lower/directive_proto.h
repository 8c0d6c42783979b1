// Directives as messages. What is streamed is not among them: passes of ours do
// that, not Halide's scheduling language.
#ifndef HALIDE_EXT_LOWER_DIRECTIVE_PROTO_H_
#define HALIDE_EXT_LOWER_DIRECTIVE_PROTO_H_

#include "absl/status/statusor.h"
#include "halide_ext/lower/directive.h"
#include "halide_ext/lower/directive.pb.h"

namespace pruner {

proto::Directive ToProto(const Directive& directive);

// Error: a kind, tail or storage that there is not.
absl::StatusOr<Directive> FromProto(const proto::Directive& message);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_DIRECTIVE_PROTO_H_
