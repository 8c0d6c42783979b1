// RETURN_IF_ERROR and ASSIGN_OR_RETURN: Abseil's macros under their short
// names.
//
//   RETURN_IF_ERROR(log.Append(record));
//   RETURN_IF_ERROR(log.Append(record)) << "while writing trial " << trial;
//   ASSIGN_OR_RETURN(Schedule schedule, ParseSchedule(text));
//   ASSIGN_OR_RETURN(schedule, ParseSchedule(text), _ << "in " << path);
//
// A declaration or an expression with a comma outside of round brackets goes
// into round brackets: ASSIGN_OR_RETURN((std::map<int, int> m), ReadMap()). In
// a lambda write the return type: these macros return a StatusBuilder, which
// converts.
#ifndef PRUNER_BASE_STATUS_MACROS_H_
#define PRUNER_BASE_STATUS_MACROS_H_

#include "absl/status/status_macros.h"  // IWYU pragma: export

#define RETURN_IF_ERROR(...) ABSL_RETURN_IF_ERROR(__VA_ARGS__)
#define ASSIGN_OR_RETURN(...) ABSL_ASSIGN_OR_RETURN(__VA_ARGS__)

#endif  // PRUNER_BASE_STATUS_MACROS_H_
