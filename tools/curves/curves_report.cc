#include "tools/curves/curves_report.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/text/csv.h"
#include "pruner/base/text/table.h"
#include "tools/curves/tuning_curve.h"

namespace pruner {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

using Curves = std::vector<TuningCurve>;

// Of an even number the larger one in the middle: what half of them reached.
double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<double> Of(const Curves& curves,
                       const std::function<double(const TuningCurve&)>& value) {
  std::vector<double> values;
  values.reserve(curves.size());
  for (const TuningCurve& curve : curves) values.push_back(value(curve));
  return values;
}

double FinalSeconds(const TuningCurve& curve) {
  return curve.last().network_seconds;
}

double WallSeconds(const TuningCurve& curve) {
  return absl::ToDoubleSeconds(curve.last().elapsed);
}

std::string Number(double value, int decimals) {
  return value == kNever ? "never" : absl::StrFormat("%.*f", decimals, value);
}

std::string Percent(double share) {
  return absl::StrFormat("%.1f %%", 100 * share);
}

// "13.8 (13.2 to 14.5)", of one value just that.
std::string MedianAndRange(const std::vector<double>& values, int decimals) {
  std::string text = Number(Median(values), decimals);
  if (values.size() == 1) return text;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return absl::StrCat(text, " (", Number(*least, decimals), " to ",
                      Number(*most, decimals), ")");
}

std::string Labels(absl::Span<const Curves* const> groups) {
  return absl::StrJoin(groups, "; ", [](std::string* out, const Curves* group) {
    absl::StrAppend(out, (*group)[0].label);
  });
}

// What is no label may be how one alone begins.
absl::StatusOr<const Curves*> Find(absl::Span<const Curves> groups,
                                   const std::string& label) {
  std::vector<const Curves*> all, begun;
  for (const Curves& curves : groups) {
    if (curves[0].label == label) return &curves;
    all.push_back(&curves);
    if (absl::StartsWith(curves[0].label, absl::StrCat(label, ", ")))
      begun.push_back(&curves);
  }
  if (begun.size() == 1) return begun[0];
  return absl::InvalidArgumentError(absl::StrCat(
      "--beside=", label, begun.empty() ? " is none of " : " may be each of ",
      Labels(begun.empty() ? all : begun)));
}

}  // namespace

absl::StatusOr<std::string> CurvesText(absl::Span<const Curves> groups,
                                       const std::string& beside) {
  const Curves* reference = nullptr;
  if (!beside.empty()) {
    const absl::StatusOr<const Curves*> found = Find(groups, beside);
    if (!found.ok()) return found.status();
    reference = *found;
  }
  std::vector<Table::Column> columns = {{"policy", Table::Align::kLeft},
                                        {"seeds"},
                                        {"trials"},
                                        {"search s"},
                                        {"choosing"},
                                        {"training"},
                                        {"network ms"}};
  double target = 0, whole = 0;
  if (reference != nullptr) {
    target = Median(Of(*reference, FinalSeconds));
    whole = Median(Of(*reference, WallSeconds));
    columns.push_back({absl::StrFormat("%.2f ms after s", 1e3 * target)});
    columns.push_back({absl::StrFormat("of %.0f s", whole)});
  }
  Table table(columns);
  for (const Curves& curves : groups) {
    std::vector<std::string> row = {
        curves[0].label,
        absl::StrCat(curves.size()),
        Number(Median(Of(curves,
                         [](const TuningCurve& curve) {
                           return static_cast<double>(curve.last().trials);
                         })),
               0),
        MedianAndRange(Of(curves, WallSeconds), 0),
        Percent(Median(Of(
            curves,
            [](const TuningCurve& curve) { return curve.proposing_share; }))),
        Percent(Median(
            Of(curves,
               [](const TuningCurve& curve) { return curve.training_share; }))),
        MedianAndRange(Of(curves,
                          [](const TuningCurve& curve) {
                            return 1e3 * FinalSeconds(curve);
                          }),
                       2)};
    if (reference != nullptr) {
      const std::vector<double> times =
          Of(curves, [&](const TuningCurve& curve) {
            const auto time = curve.TimeTo(target);
            return time ? absl::ToDoubleSeconds(*time) : kNever;
          });
      row.push_back(MedianAndRange(times, 0));
      const double share = Median(times) / whole;
      row.push_back(share == kNever ? "-"
                                    : absl::StrFormat("%.0f %%", 100 * share));
    }
    table.AddRow(std::move(row));
  }
  return table.ToString();
}

std::string CurvesCsv(absl::Span<const Curves> groups) {
  std::string text = "label,seed,trials,seconds,network_ms\n";
  for (const Curves& curves : groups) {
    for (const TuningCurve& curve : curves) {
      const std::string label = CsvField(curve.label);
      for (const ConvergencePoint& point : curve.points) {
        absl::StrAppendFormat(
            &text, "%s,%d,%d,%.2f,%.4f\n", label, curve.seed, point.trials,
            absl::ToDoubleSeconds(point.elapsed), 1e3 * point.network_seconds);
      }
    }
  }
  return text;
}

}  // namespace pruner
