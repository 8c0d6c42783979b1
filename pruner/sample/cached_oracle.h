// Answers of an oracle that are kept in a file: an assembler or a compiler is
// asked about a candidate once, whatever becomes of the run.
#ifndef PRUNER_SAMPLE_CACHED_ORACLE_H_
#define PRUNER_SAMPLE_CACHED_ORACLE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/os/record_file.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

// The file, of which there may be one for many oracles. Not thread-safe.
class OracleCache {
 public:
  // Opens the file or makes it. What is damaged in it is asked about again.
  // Errors: RecordFileWriter's, such as that another run has it open.
  static absl::StatusOr<OracleCache> Open(const std::string& path);

  std::optional<bool> Find(uint64_t key) const;
  // On disk on return.
  absl::Status Add(absl::Span<const std::pair<uint64_t, bool>> answers);

 private:
  explicit OracleCache(RecordFileWriter writer) : writer_(std::move(writer)) {}
  void Read(const std::string& record);

  RecordFileWriter writer_;
  absl::flat_hash_map<uint64_t, bool> answers_;
};

class CachedOracle : public ValidityOracle {
 public:
  // Equal where the answers are: it is of the candidate and of all that the
  // oracle depends on, such as its version, the workload and the target.
  using KeyOf = std::function<absl::StatusOr<uint64_t>(const Candidate&)>;

  // Both must outlive it.
  CachedOracle(ValidityOracle& oracle, OracleCache& cache, KeyOf key_of)
      : oracle_(oracle), cache_(cache), key_of_(std::move(key_of)) {}

  // Error: those of the oracle, of keys and of the file.
  absl::StatusOr<std::vector<bool>> AreValid(
      absl::Span<const Candidate> candidates) override;

 private:
  ValidityOracle& oracle_;
  OracleCache& cache_;
  const KeyOf key_of_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_CACHED_ORACLE_H_
