#include "halide_ext/build/host_target.h"

#include <string>
#include <thread>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"
#include "pruner/target/detect_host.h"

namespace pruner {
namespace {

using Halide::Target;

struct Instructions {
  Target::Feature feature;
  const char* name;
};

constexpr Instructions kX86Instructions[] = {
    {Target::SSE41, "sse41"},
    {Target::AVX, "avx"},
    {Target::AVX2, "avx2"},
    {Target::AVXVNNI, "avxvnni"},
    {Target::FMA, "fma"},
    {Target::FMA4, "fma4"},
    {Target::F16C, "f16c"},
    {Target::AVX512, "avx512"},
    {Target::AVX512_KNL, "avx512_knl"},
    {Target::AVX512_Skylake, "avx512_skylake"},
    {Target::AVX512_Cannonlake, "avx512_cannonlake"},
    {Target::AVX512_SapphireRapids, "avx512_sapphirerapids"},
    {Target::AVX512_Zen4, "avx512_zen4"},
    {Target::AVX512_Zen5, "avx512_zen5"},
    {Target::AVX10_1, "avx10_1"},
};

absl::Status Refuse(const TargetSpec& target, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("halide_target \"", target.halide_target, "\" of target \"",
                   target.name, "\" ", why));
}

absl::Status CheckInstructions(const TargetSpec& target, const Target& wanted) {
  // Either may know more of the processor than the other.
  const Target by_halide = Halide::get_host_target();
  const Target by_us(DetectHost().halide_target);
  for (const Instructions& instructions : kX86Instructions) {
    if (!wanted.has_feature(instructions.feature) ||
        by_halide.has_feature(instructions.feature) ||
        by_us.has_feature(instructions.feature)) {
      continue;
    }
    return Refuse(target, absl::StrCat("needs ", instructions.name,
                                       ", which this processor has not"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckRunsHere(const TargetSpec& target) {
  if (!Target::validate_target_string(target.halide_target))
    return Refuse(target, "is nothing that Halide knows");
  const Target wanted(target.halide_target), host = Halide::get_host_target();
  if (wanted.arch != host.arch || wanted.bits != host.bits ||
      wanted.os != host.os) {
    return Refuse(target, absl::StrCat("is another machine than this one, \"",
                                       host.to_string(), "\""));
  }
  RETURN_IF_ERROR(CheckInstructions(target, wanted));
  const int64_t cpus = std::thread::hardware_concurrency();
  if (target.backend == Backend::kHost && target.units.cores > cpus) {
    return absl::InvalidArgumentError(absl::StrCat(
        "units.cores of target \"", target.name, "\" are ", target.units.cores,
        ", and this machine has ", cpus, " CPUs: ask for fewer threads"));
  }
  return absl::OkStatus();
}

}  // namespace pruner
