// The TargetSpec of this machine.

#ifndef PRUNER_TARGET_HOST_SPEC_H_
#define PRUNER_TARGET_HOST_SPEC_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/target/detect_host.h"
#include "pruner/target/measure_peaks.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// $XDG_CACHE_HOME/pruner or $HOME/.cache/pruner; empty if neither variable is
// set.
std::string DefaultCacheDirectory();

struct HostSpecOptions {
  // Where the spec is kept between runs, made if need be; empty: nowhere.
  std::string cache_directory = DefaultCacheDirectory();
  // Measure even if there is a cached spec, and replace that.
  bool measure_again = false;
  // Told in one sentence when the machine is measured and why, and when the
  // result could not be kept. Default: the log.
  std::function<void(absl::string_view)> note = nullptr;
  // Replaced in tests. Default: MeasurePeaks() by the real clock.
  std::function<MeasuredPeaks(const HostInfo&)> measure = nullptr;
};

// The host as detected, with the peaks measured once and then read from the
// cache. A cached file that cannot be used is measured anew and replaced; what
// was measured on a busy machine is not kept. The cache is keyed by everything
// that is detected (CPU, cores, features, caches) and the version of the spec's
// contents.
absl::StatusOr<TargetSpec> HostTargetSpec(const HostSpecOptions& options = {});

// The spec made of what was detected and measured; pure. Its name tells the CPU
// and the number of cores ("amd-epyc-9654-96-core-processor-2c").
TargetSpec MakeHostSpec(const HostInfo& host, const MeasuredPeaks& peaks);

// The file of `directory` in which this host's spec is kept.
std::string HostSpecFile(const std::string& directory, const HostInfo& host);

}  // namespace pruner

#endif  // PRUNER_TARGET_HOST_SPEC_H_
