#include "pruner/target/target_spec.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "pruner/target/target.pb.h"
#include "pruner/target/target_spec_validator.h"

namespace pruner {
namespace {

// The plain enums mirror the proto's, number for number.
static_assert(static_cast<int>(Backend::kHost) == proto::TargetSpec::HOST);
static_assert(static_cast<int>(Backend::kCuda) == proto::TargetSpec::CUDA);
static_assert(static_cast<int>(Backend::kOpenCl) == proto::TargetSpec::OPENCL);
static_assert(static_cast<int>(Binding::kParallel) ==
              proto::TargetSpec::PARALLEL);
static_assert(static_cast<int>(Binding::kBlock) == proto::TargetSpec::BLOCK);
static_assert(static_cast<int>(Binding::kVThread) ==
              proto::TargetSpec::VTHREAD);
static_assert(static_cast<int>(Binding::kThread) == proto::TargetSpec::THREAD);
static_assert(static_cast<int>(Binding::kSerial) == proto::TargetSpec::SERIAL);
static_assert(static_cast<int>(Binding::kRegister) ==
              proto::TargetSpec::REGISTER);

void MemoryLevelToProto(const MemoryLevel& level,
                        proto::TargetSpec::MemoryLevel& proto) {
  proto.set_size_bytes(level.size_bytes);
  proto.set_gb_per_s(level.gb_per_s);
  proto.set_line_bytes(level.line_bytes);
}

MemoryLevel MemoryLevelFromProto(const proto::TargetSpec::MemoryLevel& proto) {
  return {.size_bytes = proto.size_bytes(),
          .gb_per_s = proto.gb_per_s(),
          .line_bytes = proto.line_bytes()};
}

void LimitsToProto(const Limits& limits, proto::TargetSpec::Limits& proto) {
  proto.set_threads_per_block(limits.threads_per_block);
  proto.set_shared_bytes_per_block(limits.shared_bytes_per_block);
  proto.set_registers_per_thread(limits.registers_per_thread);
  proto.set_vthreads(limits.vthreads);
  proto.set_unrolled_statements(limits.unrolled_statements);
  proto.set_vectorize_elements(limits.vectorize_elements);
  proto.set_innermost_split_factor(limits.innermost_split_factor);
  if (limits.program_statements > 0)
    proto.set_program_statements(limits.program_statements);
  if (limits.statements_per_stage > 0)
    proto.set_statements_per_stage(limits.statements_per_stage);
  if (limits.unsized_stages > 0)
    proto.set_unsized_stages(limits.unsized_stages);
}

Limits LimitsFromProto(const proto::TargetSpec::Limits& proto) {
  return {.threads_per_block = proto.threads_per_block(),
          .shared_bytes_per_block = proto.shared_bytes_per_block(),
          .registers_per_thread = proto.registers_per_thread(),
          .vthreads = proto.vthreads(),
          .unrolled_statements = proto.unrolled_statements(),
          .vectorize_elements = proto.vectorize_elements(),
          .innermost_split_factor = proto.innermost_split_factor(),
          .program_statements = proto.program_statements(),
          .statements_per_stage = proto.statements_per_stage(),
          .unsized_stages = proto.unsized_stages()};
}

void TilingToProto(const TargetSpec& spec, proto::TargetSpec::Tiling& proto) {
  proto.set_structure(spec.TileStructure());
  for (const TileLevel& level : spec.tiling.levels) {
    proto.add_bindings(static_cast<proto::TargetSpec::Binding>(level.binding));
  }
  proto.mutable_fusion_levels()->Assign(spec.tiling.fusion_levels.begin(),
                                        spec.tiling.fusion_levels.end());
  proto.mutable_auto_unroll_steps()->Assign(
      spec.tiling.auto_unroll_steps.begin(),
      spec.tiling.auto_unroll_steps.end());
}

Tiling TilingFromProto(const proto::TargetSpec::Tiling& proto) {
  Tiling tiling;
  for (int i = 0; i < proto.bindings_size(); ++i) {
    tiling.levels.push_back(
        {.axis = proto.structure()[i] == 'S' ? TileAxis::kSpatial
                                             : TileAxis::kReduction,
         .binding = static_cast<Binding>(proto.bindings(i))});
  }
  tiling.fusion_levels.assign(proto.fusion_levels().begin(),
                              proto.fusion_levels().end());
  tiling.auto_unroll_steps.assign(proto.auto_unroll_steps().begin(),
                                  proto.auto_unroll_steps().end());
  return tiling;
}

// Keeps the first message only: later ones are often consequences of it.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  // Line and column count from 0.
  void RecordError(int line, int column, absl::string_view message) override {
    if (text_.empty()) {
      text_ = absl::StrCat(line + 1, ":", column + 1, ": ", message);
    }
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::optional<int> TargetSpec::TileLevelBoundTo(Binding binding) const {
  const auto level = std::find_if(
      tiling.levels.begin(), tiling.levels.end(),
      [&](const TileLevel& candidate) { return candidate.binding == binding; });
  if (level == tiling.levels.end()) return std::nullopt;
  return static_cast<int>(level - tiling.levels.begin());
}

bool TargetSpec::HasThreads() const {
  return TileLevelBoundTo(Binding::kThread).has_value();
}

std::string TargetSpec::TileStructure() const {
  std::string structure;
  for (const TileLevel& level : tiling.levels) {
    structure += level.axis == TileAxis::kSpatial ? 'S' : 'R';
  }
  return structure;
}

proto::TargetSpec TargetSpecToProto(const TargetSpec& spec) {
  proto::TargetSpec proto;
  proto.set_name(spec.name);
  proto.set_backend(static_cast<proto::TargetSpec::Backend>(spec.backend));
  proto.set_halide_target(spec.halide_target);
  proto.mutable_registers()->set_count(spec.registers.count);
  proto.mutable_registers()->set_bytes(spec.registers.bytes);
  MemoryLevelToProto(spec.l1, *proto.mutable_l1());
  MemoryLevelToProto(spec.l2, *proto.mutable_l2());
  MemoryLevelToProto(spec.llc, *proto.mutable_llc());
  proto.mutable_units()->set_cores(spec.units.cores);
  proto.mutable_units()->set_simd_lanes(spec.units.simd_lanes);
  proto.mutable_units()->set_fma_pipes(spec.units.fma_pipes);
  proto.mutable_units()->set_sub_partitions(spec.units.sub_partitions);
  proto.mutable_peaks()->set_fp32_gflops_per_core(
      spec.peaks.fp32_gflops_per_core);
  proto.mutable_peaks()->set_fp32_gflops(spec.peaks.fp32_gflops);
  proto.mutable_peaks()->set_dram_gb_per_s(spec.peaks.dram_gb_per_s);
  LimitsToProto(spec.limits, *proto.mutable_limits());
  TilingToProto(spec, *proto.mutable_tiling());
  if (spec.cheap_shared_writes) proto.set_cheap_shared_writes(true);
  return proto;
}

absl::StatusOr<TargetSpec> TargetSpecFromProto(const proto::TargetSpec& proto,
                                               absl::string_view source) {
  absl::Status status = ValidateTargetSpecProto(proto, source);
  if (!status.ok()) return status;
  return TargetSpec{
      .name = proto.name(),
      .backend = static_cast<Backend>(proto.backend()),
      .halide_target = proto.halide_target(),
      .registers = {.count = proto.registers().count(),
                    .bytes = proto.registers().bytes()},
      .l1 = MemoryLevelFromProto(proto.l1()),
      .l2 = MemoryLevelFromProto(proto.l2()),
      .llc = MemoryLevelFromProto(proto.llc()),
      .units = {.cores = proto.units().cores(),
                .simd_lanes = proto.units().simd_lanes(),
                .fma_pipes = proto.units().fma_pipes(),
                .sub_partitions = proto.units().sub_partitions()},
      .peaks = {.fp32_gflops_per_core = proto.peaks().fp32_gflops_per_core(),
                .fp32_gflops = proto.peaks().fp32_gflops(),
                .dram_gb_per_s = proto.peaks().dram_gb_per_s()},
      .limits = LimitsFromProto(proto.limits()),
      .tiling = TilingFromProto(proto.tiling()),
      .cheap_shared_writes = proto.cheap_shared_writes(),
  };
}

std::string TargetSpecToText(const TargetSpec& spec) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetUseShortRepeatedPrimitives(true);
  std::string text;
  CHECK(printer.PrintToString(TargetSpecToProto(spec), &text));
  return text;
}

absl::StatusOr<TargetSpec> ParseTargetSpec(absl::string_view text,
                                           absl::string_view source) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  proto::TargetSpec proto;
  if (!parser.ParseFromString(text, &proto)) {
    return absl::InvalidArgumentError(absl::StrCat(source, ":", error.text()));
  }
  return TargetSpecFromProto(proto, source);
}

absl::Status ValidateTargetSpec(const TargetSpec& spec,
                                absl::string_view source) {
  return ValidateTargetSpecProto(TargetSpecToProto(spec), source);
}

}  // namespace pruner
