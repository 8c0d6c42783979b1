#include "pruner/pacm/torch_border.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "ATen/Parallel.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "c10/util/Exception.h"

// OpenMP's. Its header is one of GCC's own, which clang-tidy does not find.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int omp_pause_resource_all(int kind);

namespace pruner {
namespace {

constexpr int kPauseSoft = 1;  // omp_pause_soft

// The first line is the message, the others are the stack.
std::string Message(absl::string_view doing, absl::string_view what) {
  const std::pair<absl::string_view, absl::string_view> lines =
      absl::StrSplit(what, absl::MaxSplits('\n', 1));
  return absl::StrCat("LibTorch, ", doing, ": ", lines.first);
}

}  // namespace

absl::Status TorchError(absl::string_view doing) {
  try {
    throw;
  } catch (const c10::Error& error) {
    return absl::InternalError(Message(doing, error.what_without_backtrace()));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat("out of memory, ", doing));
  } catch (const std::exception& error) {
    return absl::InternalError(Message(doing, error.what()));
  } catch (...) {
    return absl::InternalError(Message(doing, "unknown exception"));
  }
}

TorchThreads::TorchThreads(int threads) : before_(at::get_num_threads()) {
  if (threads > 0 && threads != before_) at::set_num_threads(threads);
}

TorchThreads::~TorchThreads() {
  if (at::get_num_threads() != before_) at::set_num_threads(before_);
  omp_pause_resource_all(kPauseSoft);
}

}  // namespace pruner
