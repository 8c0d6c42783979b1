#include "halide_ext/lower/large_outputs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace pruner {
namespace {

// Dimensions that were estimated to be no longer are channels and the like.
constexpr int64_t kShort = 64;

}  // namespace

std::vector<LeastExtent> LargeOutputs(const PipelineRegions& regions) {
  std::vector<LeastExtent> large;
  for (const std::string& output : regions.outputs) {
    const Region& region = regions.regions.at(output);
    for (size_t d = 0; d < region.size(); ++d) {
      const int64_t extent = region[d].Extent();
      large.push_back(
          {.output = output,
           .dimension = static_cast<int>(d),
           .extent = extent <= kShort ? extent : std::max(kShort, extent / 2)});
    }
  }
  return large;
}

std::vector<Directive> OnlySpecialized(std::vector<Directive> directives) {
  using Definition = std::pair<std::string, int>;
  std::set<Definition> specialized;
  for (const Directive& d : directives) {
    if (!d.least.empty()) specialized.insert({d.func, d.update});
  }
  std::erase_if(directives, [&](const Directive& d) {
    return IsOfLoops(d) && d.least.empty() &&
           specialized.contains({d.func, d.update});
  });
  for (const auto& [func, update] : specialized) {
    Directive& d = directives.emplace_back();
    d.kind = DirectiveKind::kOnlySpecialized;
    d.func = func;
    d.update = update;
  }
  return directives;
}

}  // namespace pruner
