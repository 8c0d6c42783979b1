#include "pruner/cost/booster.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/features/feature_rows.h"
#include "xgboost/c_api.h"

// OpenMP's. Its header is one of GCC's own, which clang-tidy does not find.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int omp_pause_resource_all(int kind);

namespace pruner {
namespace {

constexpr int kPauseSoft = 1;  // omp_pause_soft

// What the library's functions return: 0, or that XGBGetLastError says why not.
absl::Status ToStatus(int result, absl::string_view doing) {
  if (result == 0) return absl::OkStatus();
  // The first line is the message, the others are the stack.
  const std::pair<absl::string_view, absl::string_view> lines =
      absl::StrSplit(XGBGetLastError(), absl::MaxSplits('\n', 1));
  return absl::InternalError(
      absl::StrCat("XGBoost, ", doing, ": ", lines.first));
}

std::string PredictionConfig(bool training) {
  return absl::StrCat(
      R"({"type": 1, "training": )", training ? "true" : "false",
      R"(, "iteration_begin": 0, "iteration_end": 0, )",
      R"("strict_shape": false, "missing": NaN, "cache_id": 0})");
}

}  // namespace

void ReleaseBoosterThreads() { omp_pause_resource_all(kPauseSoft); }

void BoosterData::Free(void* handle) { XGDMatrixFree(handle); }

absl::StatusOr<BoosterData> BoosterData::Create(const FeatureRows& programs,
                                                int threads) {
  DMatrixHandle handle = nullptr;
  RETURN_IF_ERROR(ToStatus(
      XGDMatrixCreateFromMat_omp(
          programs.values.data(), static_cast<bst_ulong>(programs.num_rows()),
          static_cast<bst_ulong>(programs.columns),
          std::numeric_limits<float>::quiet_NaN(), &handle, threads),
      "reading rows"));
  return BoosterData(handle);
}

absl::Status BoosterData::SetLabels(absl::Span<const float> labels) {
  return ToStatus(XGDMatrixSetFloatInfo(handle_.get(), "label", labels.data(),
                                        labels.size()),
                  "reading labels");
}

absl::Status BoosterData::SetOneGroup(int rows) {
  const auto group = static_cast<unsigned>(rows);
  return ToStatus(XGDMatrixSetUIntInfo(handle_.get(), "group", &group, 1),
                  "making a list of all rows");
}

absl::Status BoosterData::SetBaseScores(absl::Span<const float> scores) {
  return ToStatus(XGDMatrixSetFloatInfo(handle_.get(), "base_margin",
                                        scores.data(), scores.size()),
                  "reading scores");
}

void Booster::Free(void* handle) { XGBoosterFree(handle); }

absl::Status Booster::Set(const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    RETURN_IF_ERROR(
        ToStatus(XGBoosterSetParam(handle_.get(), name.c_str(), value.c_str()),
                 absl::StrCat("setting ", name, " to ", value)));
  }
  return absl::OkStatus();
}

absl::StatusOr<Booster> Booster::Create(const BoosterData& data,
                                        const Parameters& parameters) {
  void* const matrix = data.handle_.get();
  BoosterHandle handle = nullptr;
  RETURN_IF_ERROR(
      ToStatus(XGBoosterCreate(&matrix, 1, &handle), "making a model"));
  Booster booster(handle);
  RETURN_IF_ERROR(booster.Set(parameters));
  return booster;
}

absl::StatusOr<Booster> Booster::FromBytes(absl::string_view bytes,
                                           const Parameters& parameters) {
  BoosterHandle handle = nullptr;
  RETURN_IF_ERROR(
      ToStatus(XGBoosterCreate(nullptr, 0, &handle), "making a model"));
  Booster booster(handle);
  RETURN_IF_ERROR(
      ToStatus(XGBoosterLoadModelFromBuffer(handle, bytes.data(), bytes.size()),
               "reading a model"));
  RETURN_IF_ERROR(booster.Set(parameters));
  return booster;
}

absl::StatusOr<std::string> Booster::ToBytes() const {
  bst_ulong length = 0;
  const char* bytes = nullptr;
  RETURN_IF_ERROR(
      ToStatus(XGBoosterSaveModelToBuffer(handle_.get(), R"({"format": "ubj"})",
                                          &length, &bytes),
               "writing a model"));
  return std::string(bytes, length);
}

absl::Status Booster::Update(const BoosterData& data, int round) {
  return ToStatus(
      XGBoosterUpdateOneIter(handle_.get(), round, data.handle_.get()),
      "adding a tree");
}

absl::Status Booster::Boost(const BoosterData& data,
                            absl::Span<float> gradients,
                            absl::Span<float> hessians) {
  return ToStatus(
      XGBoosterBoostOneIter(handle_.get(), data.handle_.get(), gradients.data(),
                            hessians.data(), gradients.size()),
      "adding a tree");
}

absl::StatusOr<absl::Span<const float>> Booster::TrainingScores(
    const BoosterData& data) {
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* scores = nullptr;
  RETURN_IF_ERROR(ToStatus(
      XGBoosterPredictFromDMatrix(handle_.get(), data.handle_.get(),
                                  PredictionConfig(/*training=*/true).c_str(),
                                  &shape, &dimensions, &scores),
      "scoring what it is trained on"));
  return absl::MakeConstSpan(scores, shape[0]);
}

absl::StatusOr<Booster> Booster::First(int trees,
                                       const Parameters& parameters) const {
  BoosterHandle handle = nullptr;
  RETURN_IF_ERROR(ToStatus(XGBoosterSlice(handle_.get(), 0, trees, 1, &handle),
                           "keeping trees"));
  Booster booster(handle);
  RETURN_IF_ERROR(booster.Set(parameters));
  return booster;
}

absl::StatusOr<absl::Span<const float>> Booster::Predict(
    const FeatureRows& programs) {
  const std::string values = absl::StrCat(
      R"({"data": [)", reinterpret_cast<uintptr_t>(programs.values.data()),
      R"(, true], "shape": [)", programs.num_rows(), ", ", programs.columns,
      R"(], "typestr": "<f4", "version": 3})");
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* scores = nullptr;
  RETURN_IF_ERROR(ToStatus(
      XGBoosterPredictFromDense(handle_.get(), values.c_str(),
                                PredictionConfig(/*training=*/false).c_str(),
                                /*m=*/nullptr, &shape, &dimensions, &scores),
      "scoring rows"));
  return absl::MakeConstSpan(scores, shape[0]);
}

}  // namespace pruner
