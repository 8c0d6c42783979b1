#include "pruner/sketch/candidate.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "pruner/base/hash.h"

namespace pruner {

uint64_t CandidateHash(const Candidate& candidate) {
  // An odd constant sends different sketches to different numbers.
  constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
  const absl::string_view bytes(
      reinterpret_cast<const char*>(candidate.values.data()),
      candidate.values.size() * sizeof(candidate.values[0]));
  return Fingerprint(bytes) ^
         (static_cast<uint64_t>(candidate.sketch) * kGoldenRatio);
}

std::string CandidateText(const Sketch& sketch,
                          absl::Span<const int32_t> values) {
  return absl::StrFormat("%s #%08x%s%s", sketch.derivation, sketch.Version(),
                         values.empty() ? "" : " ", absl::StrJoin(values, " "));
}

absl::StatusOr<Genes> ParseGenes(absl::string_view text) {
  const auto refuse = [&](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' are no genes: ", what));
  };
  const size_t mark = text.find(" #");
  if (mark == absl::string_view::npos) return refuse("there is no ' #'");
  Genes genes = {.derivation = std::string(text.substr(0, mark))};
  const std::vector<absl::string_view> words =
      absl::StrSplit(text.substr(mark + 2), ' ');
  if (words[0].size() != 8 || !absl::SimpleHexAtoi(words[0], &genes.version))
    return refuse("the version has 8 hexadecimal digits");
  for (size_t i = 1; i < words.size(); ++i) {
    int32_t value = 0;
    if (!absl::SimpleAtoi(words[i], &value) || value < 0)
      return refuse(absl::StrCat("'", words[i], "' is no value"));
    genes.values.push_back(value);
  }
  return genes;
}

absl::Status CheckGenes(const Genes& genes, const Sketch& sketch) {
  if (genes.version != sketch.Version()) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "they are of version %08x of the sketch '%s', which is %08x now",
        genes.version, sketch.derivation, sketch.Version()));
  }
  if (static_cast<int>(genes.values.size()) != sketch.NumValues()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "there are ", genes.values.size(), " values for the ",
        sketch.NumValues(), " of the sketch '", sketch.derivation, "'"));
  }
  return absl::OkStatus();
}

}  // namespace pruner
