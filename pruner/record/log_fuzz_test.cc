// Whatever entries a log has, the records that can be read are read, the same
// each time, and none is lost for what is around it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/record_file.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/record/legacy_log.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/log_decoder.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record.pb.h"
#include "pruner/record/run_info.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"
#include "pruner/workload/workload_proto.h"

namespace pruner {
namespace {

// Entries, each after its length in two bytes, the lower first. What a record
// file puts around them has a checksum, past which no fuzzer gets.
std::vector<std::string> EntriesOf(absl::string_view input) {
  std::vector<std::string> entries;
  while (input.size() >= 2) {
    const size_t size =
        static_cast<uint8_t>(input[0]) | static_cast<uint8_t>(input[1]) << 8;
    input.remove_prefix(2);
    entries.emplace_back(input.substr(0, size));
    input.remove_prefix(entries.back().size());
  }
  return entries;
}

void CheckContents(const LogContents& contents) {
  for (const auto& [key, target] : contents.targets) {
    const auto again = ParseTargetSpec(TargetSpecToText(target), "printed");
    CHECK_OK(again);
    CHECK(TargetKeyOf(*again) == key);
  }
  for (const auto& [key, workload] : contents.workloads) {
    const auto again = FromProto(ToProto(workload));
    CHECK_OK(again);
    CHECK(again->key == key);
  }
  for (const auto& [id, run] : contents.runs) {
    CHECK_EQ(run.id, id);
    CHECK_OK(FromProto(ToProto(run)));
  }
  for (const MeasureRecord& record : contents.records) {
    CHECK_OK(FromProto(ToProto(record)));
    const std::string line = PrintRecord(record);
    const auto again = ParseRecord(line);
    CHECK_OK(again);
    CHECK_EQ(PrintRecord(*again), line);
  }
}

void CheckLegacy(const LegacyLog& log) {
  static const std::vector<Workload> kWorkloads = {
      {"matmul", "", MatmulReluDag(64, 64, 64)},
      {"pool", "", MaxPoolDag(56, 64)}};
  std::vector<std::string> notes;
  const auto records = ConvertLegacy(log, kWorkloads, SampleCpuTarget(), notes);
  if (!records.ok()) return;
  CHECK_LE(records->size(), log.records.size());
  CHECK(records->size() == log.records.size() || !notes.empty());
}

// A record that no other is likely to be taken for.
MeasureRecord Acknowledged() {
  return {.workload = {17},
          .target = {18},
          .run = 123456789,
          .result = {.seconds = {0.5}},
          .trial = 987654321};
}

std::string EntryOf(const MeasureRecord& record) {
  proto::LogEntry entry;
  *entry.mutable_measurement() = ToProto(record);
  return entry.SerializeAsString();
}

// A record among the entries is read, first, last or between them.
void CheckIsKept(const RecordFileContents& file, const LogContents& contents) {
  const MeasureRecord record = Acknowledged();
  for (const size_t place :
       {size_t{0}, file.records.size() / 2, file.records.size()}) {
    RecordFileContents longer = file;
    longer.records.insert(
        longer.records.begin() + static_cast<std::ptrdiff_t>(place),
        EntryOf(record));
    const auto decoded = DecodeLog("log", longer);
    CHECK_OK(decoded);
    const std::vector<MeasureRecord>& records = decoded->contents.records;
    CHECK_GE(records.size(), contents.records.size());
    CHECK(std::any_of(
        records.begin(), records.end(), [&](const MeasureRecord& read) {
          return read.run == record.run && read.trial == record.trial &&
                 read.time == record.time;
        }));
  }
}

void Check(absl::string_view input) {
  const RecordFileContents file = {.records = EntriesOf(input), .dropped = {}};
  const auto log = DecodeLog("log", file);
  if (!log.ok()) return;
  const LogContents& contents = log->contents;
  CHECK_LE(contents.records.size() + contents.unreadable, file.records.size());
  CheckContents(contents);
  if (contents.legacy) CheckLegacy(*contents.legacy);
  CheckIsKept(file, contents);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
