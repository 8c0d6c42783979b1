// What torch.save says of a state_dict: a pickle of tensors by name, whose
// numbers are stored beside it.
#ifndef PRUNER_PACM_STATE_DICT_PICKLE_H_
#define PRUNER_PACM_STATE_DICT_PICKLE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

// Where a tensor's elements are: element i, j, … at offset + i * strides[0] + j
// * strides[1] + … of the storage.
struct PickledTensor {
  std::string type;     // of the storage, such as "FloatStorage"
  std::string storage;  // its key
  int64_t offset = 0;
  std::vector<int64_t> shape = {};
  std::vector<int64_t> strides = {};

  bool operator==(const PickledTensor&) const = default;
};

// A pickle is a program that makes objects. This reads those that make nothing
// but tensors, numbers and texts, in tuples and dicts, by hand; one that asks
// for anything else is refused, and nothing of it is run.
absl::StatusOr<std::map<std::string, PickledTensor>> ReadStateDictPickle(
    absl::string_view pickle);

}  // namespace pruner

#endif  // PRUNER_PACM_STATE_DICT_PICKLE_H_
