// A pickle is refused or read; nothing of it is run, and what is behind its end
// does not matter.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/log/check.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/pacm/state_dict_pickle.h"

namespace pruner {
namespace {

void Check(absl::string_view pickle) {
  const auto tensors = ReadStateDictPickle(pickle);
  if (!tensors.ok()) return;
  for (const auto& [name, tensor] : *tensors)
    CHECK(absl::EndsWith(tensor.type, "Storage")) << name;
  const auto longer = ReadStateDictPickle(absl::StrCat(pickle, "."));
  CHECK_OK(longer);
  CHECK(*longer == *tensors);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
