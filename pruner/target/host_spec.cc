#include "pruner/target/host_spec.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/log/log.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "pruner/base/clock.h"
#include "pruner/base/hash.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/target/detect_host.h"
#include "pruner/target/measure_peaks.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

// Counts up whenever MakeHostSpec(), DetectHost() or what is measured changes:
// older files are then left alone.
constexpr int kVersion = 3;

constexpr absl::string_view kHeader =
    "# proto-file: pruner/target/target.proto\n"
    "# proto-message: pruner.proto.TargetSpec\n"
    "# Detected and measured on this machine; deleted, it is measured again.\n";

// "AMD EPYC 9654" becomes "amd-epyc-9654".
std::string Slug(absl::string_view text) {
  std::string slug;
  for (const char c : text) {
    if (absl::ascii_isalnum(c)) {
      slug += absl::ascii_tolower(c);
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  if (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

MemoryLevel Level(const CacheLevel& cache, double gb_per_s) {
  return {.size_bytes = cache.size_bytes,
          .gb_per_s = gb_per_s,
          .line_bytes = cache.line_bytes};
}

Tiling CpuTiling() {
  constexpr auto kS = TileAxis::kSpatial;
  constexpr auto kR = TileAxis::kReduction;
  return {.levels = {{kS, Binding::kParallel},
                     {kS, Binding::kSerial},
                     {kR, Binding::kSerial},
                     {kS, Binding::kSerial},
                     {kR, Binding::kSerial},
                     {kS, Binding::kRegister}},
          .fusion_levels = {1, 2},
          .auto_unroll_steps = {0, 16, 64, 512}};
}

absl::Status Store(const std::string& directory, const std::string& file,
                   const TargetSpec& spec) {
  RETURN_IF_ERROR(MakeDirectories(directory));
  return WriteFileAtomically(file,
                             absl::StrCat(kHeader, TargetSpecToText(spec)));
}

absl::StatusOr<TargetSpec> LoadCached(const std::string& file) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(file, kMaxTargetSpecBytes));
  return ParseTargetSpec(text, file);
}

}  // namespace

std::string DefaultCacheDirectory() {
  const std::string cache = GetEnv("XDG_CACHE_HOME").value_or("");
  if (!cache.empty()) return cache + "/pruner";
  const std::string home = GetEnv("HOME").value_or("");
  if (!home.empty()) return home + "/.cache/pruner";
  return "";
}

TargetSpec MakeHostSpec(const HostInfo& host, const MeasuredPeaks& peaks) {
  const int64_t lanes = host.registers.bytes / 4;
  constexpr int64_t kInnermost = 64;
  return {
      .name = absl::StrCat(Slug(host.cpu_name), "-", host.cores, "c"),
      .backend = Backend::kHost,
      .halide_target = host.halide_target,
      .registers = host.registers,
      .l1 = Level(host.caches.l1, peaks.l1_gb_per_s),
      .l2 = Level(host.caches.l2, peaks.l2_gb_per_s),
      .llc = Level(host.caches.llc, peaks.llc_gb_per_s),
      .units = {.cores = host.cores,
                .simd_lanes = lanes,
                .fma_pipes = peaks.fma_pipes,
                .sub_partitions = 1},
      .peaks = {.fp32_gflops_per_core = peaks.fp32_gflops_per_core,
                .fp32_gflops = peaks.fp32_gflops,
                .dram_gb_per_s = peaks.dram_gb_per_s},
      .limits = {.threads_per_block = 1,
                 .shared_bytes_per_block = 0,
                 .registers_per_thread = host.registers.count,
                 .vthreads = 1,
                 .unrolled_statements = 1024,
                 // A few registers wide at most: wider loops gain nothing and
                 // take registers from the other axes.
                 .vectorize_elements = std::min(4 * lanes, kInnermost),
                 .innermost_split_factor = kInnermost},
      .tiling = CpuTiling(),
      .cheap_shared_writes = host.cheap_shared_writes,
  };
}

std::string HostSpecFile(const std::string& directory, const HostInfo& host) {
  const CpuCaches& caches = host.caches;
  const std::string key =
      absl::StrCat(kVersion, "|", host.cpu_name, "|", host.halide_target, "|",
                   host.cores, "|", caches.l1.size_bytes, "|",
                   caches.l2.size_bytes, "|", caches.llc.size_bytes);
  return absl::StrFormat("%s/host-%s-%016x.txtpb", directory,
                         Slug(host.cpu_name), Fingerprint(key));
}

absl::StatusOr<TargetSpec> HostTargetSpec(const HostSpecOptions& options) {
  const auto note = [&](absl::string_view text) {
    if (options.note) {
      options.note(text);
    } else {
      LOG(INFO) << text;
    }
  };
  const HostInfo host = DetectHost();
  const bool cached = !options.cache_directory.empty();
  const std::string file = HostSpecFile(options.cache_directory, host);
  if (!cached || options.measure_again) {
    note("measuring this machine");
  } else if (!FileExists(file)) {
    note(
        absl::StrCat("measuring this machine once; the result goes to ", file));
  } else {
    absl::StatusOr<TargetSpec> spec = LoadCached(file);
    if (spec.ok()) return spec;
    note(
        absl::StrCat("measuring this machine again, its cached description is "
                     "of no use: ",
                     spec.status().message()));
  }
  const MeasuredPeaks peaks =
      options.measure ? options.measure(host) : MeasurePeaks(host, RealClock());
  TargetSpec spec = MakeHostSpec(host, peaks);
  RETURN_IF_ERROR(ValidateTargetSpec(spec, "this machine"));
  if (!peaks.reliable) {
    note(
        "this machine is too busy to be measured well; the next run measures "
        "it again");
  } else if (cached) {
    const absl::Status stored = Store(options.cache_directory, file, spec);
    if (!stored.ok()) {
      note(absl::StrCat("the next run measures this machine again: ",
                        stored.message()));
    }
  }
  return spec;
}

}  // namespace pruner
