#include "halide_ext/build/pipeline_bytes.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/build/flat_table.h"

namespace pruner {
namespace {

// The fields of the root table. They have been these ever since Halide 17, the
// first that serializes. Its schema declares a file identifier too, "HLDE", but
// no version writes it.
enum RootField {
  kFuncs = 0,
  kOutputNames = 1,
  kRequirementTypes = 2,
  kRequirements = 3,
  kFuncNames = 4,
  kParameters = 5,
  kExternalParameters = 6,
  kBuffers = 7,
  kVersion = 8,
  kFormat = 9,
};

// Such as 21.0.0.
bool IsVersion(std::optional<absl::string_view> text) {
  constexpr size_t kMaxDigits = 30;
  return text && !text->empty() && text->size() <= kMaxDigits &&
         absl::c_count(*text, '.') == 2 && absl::c_all_of(*text, [](char c) {
           return c == '.' ||
                  absl::ascii_isdigit(static_cast<unsigned char>(c));
         });
}

// What a flatbuffer is made of lies the nearer to its end the earlier it was
// written. Halide begins with the name of the first Func, which whatever was
// cut off lacks.
bool IsWhole(const FlatTable& root) {
  const auto funcs = root.Tables(kFuncs);
  const auto names = root.Strings(kFuncNames);
  const auto outputs = root.Strings(kOutputNames);
  // Halide pairs Funcs and names without counting them, and passes over outputs
  // that are no Funcs.
  if (!funcs || !names || !outputs || funcs->size() != names->size() ||
      outputs->empty()) {
    return false;
  }
  for (const absl::string_view output : *outputs) {
    if (!absl::c_linear_search(*names, output)) return false;
  }
  return root.Tables(kParameters) && root.Tables(kExternalParameters) &&
         root.Tables(kBuffers) && root.Tables(kRequirements);
}

absl::Status OtherVersion(absl::string_view file, absl::string_view version,
                          absl::string_view format) {
  // Only who builds Halide himself sees two formats of one version.
  const bool name_formats = version == kHalideVersion;
  const auto named = [&](absl::string_view v, absl::string_view f) {
    return name_formats ? absl::StrCat(v, " with format ", f) : std::string(v);
  };
  return absl::InvalidArgumentError(absl::StrCat(
      file, " was written by Halide ", named(version, format),
      ", and this program has Halide ", named(kHalideVersion, kHalideFormat),
      ": write the file again with that version"));
}

}  // namespace

absl::Status CheckPipelineBytes(absl::string_view bytes,
                                absl::string_view file) {
  if (bytes.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        file, " is empty: write it anew with Halide::serialize_pipeline"));
  }
  const std::optional<FlatTable> root = FlatTable::Root(bytes);
  const auto version = root ? root->String(kVersion) : std::nullopt;
  const auto format = root ? root->String(kFormat) : std::nullopt;
  if (!IsVersion(version) || !IsVersion(format)) {
    return absl::InvalidArgumentError(absl::StrCat(
        file,
        " is no Halide pipeline, or it is truncated: it must be a file "
        "that Halide::serialize_pipeline wrote"));
  }
  if (*version != kHalideVersion || *format != kHalideFormat)
    return OtherVersion(file, *version, *format);
  if (!IsWhole(*root)) {
    return absl::InvalidArgumentError(
        absl::StrCat(file,
                     " is truncated or damaged: write it anew with "
                     "Halide::serialize_pipeline"));
  }
  return absl::OkStatus();
}

}  // namespace pruner
