#include "tools/bench/pipelines/registered.h"

#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace pruner {
namespace {

using Pipelines =
    std::map<std::string, std::map<std::string, CompiledPipeline>>;

Pipelines& Registered() {
  static auto& pipelines = *new Pipelines;
  return pipelines;
}

}  // namespace

const Pipelines& RegisteredPipelines() { return Registered(); }

}  // namespace pruner

// What generators' registration files call before main.
extern "C" void halide_register_argv_and_metadata(
    int (*call)(void**), const halide_filter_metadata_t* metadata,
    const char* const*) {
  std::pair<std::string, std::string> names =
      absl::StrSplit(metadata->name, absl::MaxSplits("_by_", 1));
  names.first = absl::StripSuffix(names.first, "_on_device");
  pruner::Registered()[names.first][names.second] = {.call = call,
                                                     .metadata = metadata};
}
