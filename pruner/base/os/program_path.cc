#include "pruner/base/os/program_path.h"

#include <filesystem>
#include <string>
#include <system_error>

namespace pruner {

std::string ProgramPath() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

}  // namespace pruner
