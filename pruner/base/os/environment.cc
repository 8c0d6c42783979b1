#include "pruner/base/os/environment.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

// The kernel refuses a set smaller than the CPUs it was built for.
constexpr int kMaxCpus = 1 << 16;

}  // namespace

std::optional<std::string> GetEnv(const std::string& name) {
  const char* value = getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

void SetEnv(const std::string& name, const std::string& value) {
  PCHECK(setenv(name.c_str(), value.c_str(), /*overwrite=*/1) == 0) << name;
}

void UnsetEnv(const std::string& name) {
  PCHECK(unsetenv(name.c_str()) == 0) << name;
}

std::vector<int> AvailableCpus() {
  std::vector<cpu_set_t> set(kMaxCpus / CPU_SETSIZE);
  const size_t bytes = set.size() * sizeof(cpu_set_t);
  PCHECK(sched_getaffinity(/*pid=*/0, bytes, set.data()) == 0);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < kMaxCpus; ++cpu) {
    if (CPU_ISSET_S(cpu, bytes, set.data())) cpus.push_back(cpu);
  }
  return cpus;
}

int CpuCount() { return static_cast<int>(AvailableCpus().size()); }

std::string HostName() {
  std::array<char, 256> name = {};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') {
    return "unknown";
  }
  return name.data();
}

std::string ResolveUserPath(const std::string& path) {
  const std::optional<std::string> origin = GetEnv("BUILD_WORKING_DIRECTORY");
  if (path.empty() || path.front() == '/' || !origin || origin->empty()) {
    return path;
  }
  return absl::StrCat(*origin, "/", path);
}

}  // namespace pruner
