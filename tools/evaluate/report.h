// An evaluation as text.
#ifndef TOOLS_EVALUATE_REPORT_H_
#define TOOLS_EVALUATE_REPORT_H_

#include <string>

#include "tools/evaluate/evaluation.pb.h"

namespace pruner {

// For people: a table with a line for each task, what random draws leave, the
// noise floor; with the figures of ablated models in a table of their own.
std::string EvaluationText(const proto::Evaluation& evaluation);

// A line of titles and one for each task, with all figures.
std::string EvaluationCsv(const proto::Evaluation& evaluation);

}  // namespace pruner

#endif  // TOOLS_EVALUATE_REPORT_H_
