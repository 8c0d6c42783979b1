// The ways to compute one subgraph. They compete: each is a tuning task, and a
// network takes the one that was measured to be the fastest.
#ifndef MODELS_OPS_FORMULATION_H_
#define MODELS_OPS_FORMULATION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/ops/op_pipeline.h"
#include "models/partition/subgraph.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// As the operators are defined; the one that every subgraph has.
inline constexpr absl::string_view kDirect = "direct";
// 3x3 convolutions in tiles of 2x2 and of 4x4 outputs, with 2.25 and 4 times
// fewer multiplications, on weights that are transformed when they are packed.
inline constexpr absl::string_view kWinogradF2 = "winograd_f2";
inline constexpr absl::string_view kWinogradF4 = "winograd_f4";
// Convolutions as a matrix product of unrolled windows.
inline constexpr absl::string_view kIm2col = "im2col";
// Convolutions on activations in blocks of channels, as many as vectors have
// lanes.
inline constexpr absl::string_view kNchwc = "nchwc";

// One way to compute a subgraph. All of them read the subgraph's inputs and
// write its output in the same layouts, but for constants, which are packed as
// op.inputs say.
struct Formulation {
  std::string name;
  OpPipeline op;
  // How far results may be from those in double precision, relative to the
  // largest: what rounding usually makes of it on values of one magnitude, with
  // room to spare.
  double tolerance = 0;
};

struct FormulationOptions {
  // Formulations with a larger tolerance are left out, but for the direct one.
  double max_error = 1e-3;
  // Names; of them those that apply. Empty: those that apply and may pay, by
  // what was measured for such shapes (docs/formulations.md).
  std::vector<std::string> names = {};
};

// Names that exist, the direct one first.
std::vector<std::string> FormulationNames();

// OK if all names exist and the error is positive; else names what does not.
absl::Status CheckFormulationOptions(const FormulationOptions& options);

// Those that options choose for the subgraph, the direct one first. It is
// there, too, if none of options.names applies: the result is not empty. Errors
// are those of BuildPipeline.
absl::StatusOr<std::vector<Formulation>> Formulations(
    const Subgraph& subgraph, const TargetSpec& target,
    const FormulationOptions& options = {});

}  // namespace pruner

#endif  // MODELS_OPS_FORMULATION_H_
