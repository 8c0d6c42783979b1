#include "pruner/target/target_spec_validator.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace pruner {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

struct Range {
  absl::string_view field;  // path of the field
  double min;
  double max;
  bool optional = false;
};

constexpr double kMaxBytes = 1e15;
constexpr double kMaxRate = 1e9;
constexpr double kMinRate = 1e-3;

// One line per number of target.proto; the bounds only keep out what cannot be
// meant.
constexpr Range kRanges[] = {
    {"registers.count", 1, 16777216},
    {"registers.bytes", 4, 4096},
    {"l1.size_bytes", 256, kMaxBytes},
    {"l1.gb_per_s", kMinRate, kMaxRate},
    {"l1.line_bytes", 4, 65536},
    {"l2.size_bytes", 256, kMaxBytes},
    {"l2.gb_per_s", kMinRate, kMaxRate},
    {"l2.line_bytes", 4, 65536},
    {"llc.size_bytes", 256, kMaxBytes},
    {"llc.gb_per_s", kMinRate, kMaxRate},
    {"llc.line_bytes", 4, 65536},
    {"units.cores", 1, 1048576},
    {"units.simd_lanes", 1, 1024},
    {"units.fma_pipes", 1, 64},
    {"units.sub_partitions", 1, 64},
    {"peaks.fp32_gflops_per_core", kMinRate, kMaxRate},
    {"peaks.fp32_gflops", kMinRate, kMaxRate},
    {"peaks.dram_gb_per_s", kMinRate, kMaxRate},
    {"limits.threads_per_block", 1, 1048576},
    {"limits.shared_bytes_per_block", 0, kMaxBytes},
    {"limits.registers_per_thread", 1, 65536},
    {"limits.vthreads", 1, 1024},
    {"limits.unrolled_statements", 1, 1048576},
    {"limits.vectorize_elements", 1, 1024},
    {"limits.innermost_split_factor", 1, 65536},
    {"limits.program_statements", 1, 1073741824, true},
    {"limits.statements_per_stage", 1, 1048576, true},
    {"limits.unsized_stages", 1, 1048576, true},
    {"tiling.fusion_levels", 1, 16},
    {"tiling.auto_unroll_steps", 0, 1048576},
};

const Range& RangeOf(absl::string_view field) {
  const auto* range =
      std::find_if(std::begin(kRanges), std::end(kRanges),
                   [&](const Range& r) { return r.field == field; });
  CHECK(range != std::end(kRanges)) << "no range for " << field;
  return *range;
}

bool IsOptional(absl::string_view field) {
  return std::any_of(
      std::begin(kRanges), std::end(kRanges),
      [&](const Range& r) { return r.field == field && r.optional; });
}

class Checker {
 public:
  explicit Checker(absl::string_view source) : source_(source) {}

  absl::Status Error(absl::string_view field, absl::string_view message) const {
    return absl::InvalidArgumentError(
        absl::StrCat(source_, ": ", field, " ", message));
  }

  // Presence and ranges of all fields of `message`, whose own path is `prefix`.
  absl::Status CheckFields(const Message& message,
                           const std::string& prefix) const {
    const Descriptor* type = message.GetDescriptor();
    for (int i = 0; i < type->field_count(); ++i) {
      absl::Status status = CheckField(message, *type->field(i), prefix);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status CheckTiling(const proto::TargetSpec& proto) const {
    const proto::TargetSpec::Tiling& tiling = proto.tiling();
    const std::string& structure = tiling.structure();
    if (structure.find_first_not_of("SR") != std::string::npos) {
      return Error("tiling.structure",
                   absl::StrCat("= \"", structure,
                                "\" may hold only the letters S and R"));
    }
    if (structure.front() != 'S') {
      return Error("tiling.structure",
                   absl::StrCat("= \"", structure,
                                "\" must begin with S: the outermost tile level"
                                " is the parallel one"));
    }
    if (tiling.bindings_size() != static_cast<int>(structure.size())) {
      return Error(
          "tiling.bindings",
          absl::StrCat("has ", tiling.bindings_size(),
                       " entries, but tiling.structure = \"", structure,
                       "\" has ", structure.size(), " levels"));
    }
    return CheckTilingLists(tiling);
  }

 private:
  absl::Status CheckField(const Message& message, const FieldDescriptor& field,
                          const std::string& prefix) const {
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL)
      return absl::OkStatus();
    const Reflection& reflection = *message.GetReflection();
    const std::string path = absl::StrCat(prefix, field.name());
    const bool present = field.is_repeated()
                             ? reflection.FieldSize(message, &field) > 0
                             : reflection.HasField(message, &field);
    if (!present && IsOptional(path)) return absl::OkStatus();
    if (!present) return Error(path, "is missing");
    const int count =
        field.is_repeated() ? reflection.FieldSize(message, &field) : 1;
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return CheckFields(reflection.GetMessage(message, &field), path + ".");
      case FieldDescriptor::CPPTYPE_STRING:
        if (reflection.GetString(message, &field).empty()) {
          return Error(path, "is empty");
        }
        return absl::OkStatus();
      case FieldDescriptor::CPPTYPE_ENUM:
        return absl::OkStatus();
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return CheckRange(path, reflection.GetDouble(message, &field));
      default:
        CHECK_EQ(field.cpp_type(), FieldDescriptor::CPPTYPE_INT64) << path;
    }
    for (int i = 0; i < count; ++i) {
      const int64_t value =
          field.is_repeated() ? reflection.GetRepeatedInt64(message, &field, i)
                              : reflection.GetInt64(message, &field);
      absl::Status status = CheckRange(path, value);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  template <typename T>
  absl::Status CheckRange(const std::string& path, T value) const {
    const Range& range = RangeOf(path);
    // Written so that NaN is refused.
    if (value >= range.min && value <= range.max) return absl::OkStatus();
    return Error(path, absl::StrCat("= ", value, " is not in [",
                                    static_cast<T>(range.min), ", ",
                                    static_cast<T>(range.max), "]"));
  }

  absl::Status CheckTilingLists(const proto::TargetSpec::Tiling& tiling) const {
    const std::string& structure = tiling.structure();
    const int64_t spatial = std::count(structure.begin(), structure.end(), 'S');
    for (const int64_t level : tiling.fusion_levels()) {
      if (level >= spatial) {
        return Error("tiling.fusion_levels",
                     absl::StrCat("= ", level, " must be below ", spatial,
                                  ", the number of spatial tile levels"));
      }
    }
    if (!std::is_sorted(tiling.auto_unroll_steps().begin(),
                        tiling.auto_unroll_steps().end())) {
      return Error("tiling.auto_unroll_steps", "must be in ascending order");
    }
    return absl::OkStatus();
  }

  absl::string_view source_;
};

}  // namespace

absl::Status ValidateTargetSpecProto(const proto::TargetSpec& proto,
                                     absl::string_view source) {
  const Checker checker(source);
  absl::Status status = checker.CheckFields(proto, "");
  if (!status.ok()) return status;
  return checker.CheckTiling(proto);
}

}  // namespace pruner
