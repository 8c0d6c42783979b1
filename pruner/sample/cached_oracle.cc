#include "pruner/sample/cached_oracle.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/os/record_file.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/cached_oracle.pb.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

absl::StatusOr<OracleCache> OracleCache::Open(const std::string& path) {
  ASSIGN_OR_RETURN(RecordFileWriter::Opened opened,
                   RecordFileWriter::Open(path));
  OracleCache cache(std::move(opened.writer));
  for (const std::string& record : opened.contents.records) cache.Read(record);
  return cache;
}

void OracleCache::Read(const std::string& record) {
  proto::CachedAnswers batch;
  if (!batch.ParseFromString(record)) return;
  const int count = std::min(batch.keys_size(), batch.valid_size());
  for (int i = 0; i < count; ++i) answers_[batch.keys(i)] = batch.valid(i);
}

std::optional<bool> OracleCache::Find(uint64_t key) const {
  const auto found = answers_.find(key);
  if (found == answers_.end()) return std::nullopt;
  return found->second;
}

absl::Status OracleCache::Add(
    absl::Span<const std::pair<uint64_t, bool>> answers) {
  if (answers.empty()) return absl::OkStatus();
  proto::CachedAnswers batch;
  for (const auto& [key, valid] : answers) {
    batch.add_keys(key);
    batch.add_valid(valid);
  }
  RETURN_IF_ERROR(writer_.Append(batch.SerializeAsString()));
  answers_.insert(answers.begin(), answers.end());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<bool>> CachedOracle::AreValid(
    absl::Span<const Candidate> candidates) {
  std::vector<uint64_t> keys;
  std::vector<Candidate> unknown;
  std::vector<uint64_t> unknown_keys;
  for (const Candidate& candidate : candidates) {
    ASSIGN_OR_RETURN(keys.emplace_back(), key_of_(candidate));
    if (cache_.Find(keys.back())) continue;
    unknown.push_back(candidate);
    unknown_keys.push_back(keys.back());
  }
  if (!unknown.empty()) {
    ASSIGN_OR_RETURN(const std::vector<bool> valid, oracle_.AreValid(unknown));
    std::vector<std::pair<uint64_t, bool>> answers;
    for (size_t i = 0; i < unknown_keys.size(); ++i)
      answers.emplace_back(unknown_keys[i], valid[i]);
    RETURN_IF_ERROR(cache_.Add(answers));
  }
  std::vector<bool> valid;
  valid.reserve(keys.size());
  for (const uint64_t key : keys) valid.push_back(*cache_.Find(key));
  return valid;
}

}  // namespace pruner
