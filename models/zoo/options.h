// The options that all networks of the zoo share.
#ifndef MODELS_ZOO_OPTIONS_H_
#define MODELS_ZOO_OPTIONS_H_

#include <cstdint>

namespace pruner {

// What every network of the zoo can be asked for.
struct ModelOptions {
  int64_t batch = 1;
  uint64_t seed = 0;  // of the random weights
};

}  // namespace pruner

#endif  // MODELS_ZOO_OPTIONS_H_
