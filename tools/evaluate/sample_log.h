// A record log for tests of what reads data sets.
#ifndef TOOLS_EVALUATE_SAMPLE_LOG_H_
#define TOOLS_EVALUATE_SAMPLE_LOG_H_

#include <cstdint>

#include "pruner/record/log_contents.h"

namespace pruner {

struct SampleLogOptions {
  int programs = 40;  // of each task
  double failure_rate = 0;
  // So many of the fastest programs of each task are timed again, and take as
  // long as before.
  int race = 0;
  uint64_t seed = 1;
};

// Random programs of a convolution and of a matrix product on SampleCpuTarget,
// as a fake measurer times them.
LogContents SampleLog(const SampleLogOptions& options = {});

}  // namespace pruner

#endif  // TOOLS_EVALUATE_SAMPLE_LOG_H_
