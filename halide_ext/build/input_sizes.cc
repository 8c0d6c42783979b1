#include "halide_ext/build/input_sizes.h"

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace pruner {

using Parameters = std::map<std::string, Halide::Parameter>;

absl::StatusOr<InputSizes> ParseInputSizes(absl::string_view text) {
  InputSizes sizes;
  for (const absl::string_view part :
       absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    const std::vector<absl::string_view> sides = absl::StrSplit(part, '=');
    std::vector<int>* extents =
        sides.size() == 2 && !sides[0].empty()
            ? &sizes.emplace(sides[0], std::vector<int>()).first->second
            : nullptr;
    bool good = extents != nullptr && extents->empty();
    if (good) {
      for (const absl::string_view number : absl::StrSplit(sides[1], 'x')) {
        good = good && absl::SimpleAtoi(number, &extents->emplace_back()) &&
               extents->back() > 0;
      }
    }
    if (!good) {
      return absl::InvalidArgumentError(absl::StrCat(
          "'", part,
          "' is no input's size: write each once, as in image=640x480"));
    }
  }
  return sizes;
}

absl::Status SetInputSizes(const InputSizes& sizes, Parameters& parameters) {
  for (const auto& [name, extents] : sizes) {
    const auto found = parameters.find(name);
    if (found == parameters.end() || !found->second.is_buffer()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "there is no input '", name, "' to give a size to; the inputs are ",
          absl::StrJoin(parameters, ", ", [](std::string* out, const auto& p) {
            absl::StrAppend(out, "'", p.first, "'");
          })));
    }
    Halide::Parameter& input = found->second;
    if (static_cast<int>(extents.size()) != input.dimensions()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the input '", name, "' has ", input.dimensions(),
                       " dimensions, and its size was given as ",
                       absl::StrJoin(extents, "x")));
    }
    for (int d = 0; d < input.dimensions(); ++d) {
      input.set_min_constraint(d, 0);
      input.set_extent_constraint(d, extents[d]);
    }
  }
  return absl::OkStatus();
}

std::string InputSizesHint(const InputSizes& sizes,
                           const Parameters& parameters) {
  for (const auto& [name, input] : parameters) {
    if (!input.is_buffer() || input.dimensions() == 0 || sizes.contains(name))
      continue;
    std::string example = absl::StrCat(name, "=<0>");
    for (int d = 1; d < input.dimensions(); ++d)
      absl::StrAppend(&example, "x<", d, ">");
    return absl::StrCat(
        "Halide's files do not keep the sizes of inputs, not even estimates: "
        "give them beside the file, as in ",
        example);
  }
  return "";
}

}  // namespace pruner
