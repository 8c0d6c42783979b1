#include "pruner/base/os/process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/log/log.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/child_io.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr int kMaxFiles = 8;
constexpr int kFirstFreeFd = 10;  // above all descriptors the child is given

// What can fail in the child before the program runs.
enum class Step { kFiles, kMemoryLimit, kCpus, kDirectory, kExec };

struct Failure {
  Step step;
  int error;
};

// All that the child needs, computed before the fork: in the child of a program
// with threads only async-signal-safe functions may be called, so not even
// malloc.
struct Plan {
  const char* program;
  char* const* argv;
  char* const* environment;
  const char* directory;    // or null
  rlim_t max_memory_bytes;  // or 0
  const cpu_set_t* cpus;    // or null
  size_t cpu_bytes;
  std::array<Process::File, kMaxFiles> files;
  int file_count;
  int failure_fd;
  pid_t parent;
};

[[noreturn]] void Fail(const Plan& plan, Step step) {
  const Failure failure = {step, errno};
  // If the parent does not get it, it sees the exit code.
  (void)!write(plan.failure_fd, &failure, sizeof(failure));
  _exit(127);
}

void ResetSignals() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal)
    sigaction(signal, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool PlaceFiles(Plan& plan) {
  // First out of the way of each other, then to their places.
  plan.failure_fd = fcntl(plan.failure_fd, F_DUPFD_CLOEXEC, kFirstFreeFd);
  if (plan.failure_fd < 0) _exit(127);
  for (int i = 0; i < plan.file_count; ++i) {
    int& from = plan.files[i].from;
    from = fcntl(from, F_DUPFD_CLOEXEC, kFirstFreeFd);
    if (from < 0) return false;
  }
  for (int i = 0; i < plan.file_count; ++i) {
    if (dup2(plan.files[i].from, plan.files[i].to) < 0) return false;
  }
  // What others have opened without O_CLOEXEC. Kernels before 5.11 cannot do
  // it.
  int first_other = 3;
  for (int i = 0; i < plan.file_count; ++i) {
    if (plan.files[i].to >= first_other) first_other = plan.files[i].to + 1;
  }
  close_range(first_other, ~0U, CLOSE_RANGE_CLOEXEC);
  return true;
}

void VolunteerForOutOfMemoryKiller() {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  (void)!write(fd, "1000", 4);  // if it cannot be, the kernel chooses
  close(fd);
}

[[noreturn]] void RunChild(Plan& plan) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);  // it died before the call above
  ResetSignals();
  if (!PlaceFiles(plan)) Fail(plan, Step::kFiles);
  VolunteerForOutOfMemoryKiller();
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (plan.directory != nullptr && chdir(plan.directory) != 0) {
    Fail(plan, Step::kDirectory);
  }
  if (plan.cpus != nullptr &&
      sched_setaffinity(0, plan.cpu_bytes, plan.cpus) != 0) {
    Fail(plan, Step::kCpus);
  }
  if (plan.max_memory_bytes != 0) {
    // Whoever started the parent may allow less.
    rlimit limit = {};
    if (getrlimit(RLIMIT_AS, &limit) != 0) Fail(plan, Step::kMemoryLimit);
    limit.rlim_max = std::min(limit.rlim_max, plan.max_memory_bytes);
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_AS, &limit) != 0) Fail(plan, Step::kMemoryLimit);
  }
  execve(plan.program, plan.argv, plan.environment);
  Fail(plan, Step::kExec);
}

// Signals stay blocked from the fork until the child has reset its handlers:
// none of the parent's may run in the child.
pid_t Fork(Plan& plan) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork();
  if (pid == 0) RunChild(plan);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

absl::StatusOr<std::string> FindProgram(const std::string& name) {
  std::error_code error;
  if (absl::StrContains(name, '/')) {
    // Absolute, as the child may run elsewhere.
    return std::filesystem::absolute(name, error).string();
  }
  for (const absl::string_view directory :
       absl::StrSplit(GetEnv("PATH").value_or("/usr/bin:/bin"), ':')) {
    const std::string path =
        absl::StrCat(directory.empty() ? "." : directory, "/", name);
    if (access(path.c_str(), X_OK) == 0 &&
        !std::filesystem::is_directory(path, error)) {
      return std::filesystem::absolute(path, error).string();
    }
  }
  return absl::NotFoundError(
      absl::StrCat("cannot run ", name, ": there is no such program in $PATH"));
}

// "name=value" of every variable the child gets.
std::vector<std::string> Environment(const ProcessOptions& options) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    variables.insert(absl::StrSplit(*entry, absl::MaxSplits('=', 1)));
  }
  for (const auto& [name, value] : options.environment) variables[name] = value;
  std::vector<std::string> entries;
  entries.reserve(variables.size());
  for (const auto& [name, value] : variables) {
    entries.push_back(absl::StrCat(name, "=", value));
  }
  return entries;
}

std::vector<cpu_set_t> CpuSet(const std::vector<int>& cpus) {
  int last = 0;
  for (const int cpu : cpus) {
    CHECK_GE(cpu, 0);
    last = std::max(last, cpu);
  }
  std::vector<cpu_set_t> set(last / CPU_SETSIZE + 1);
  for (const int cpu : cpus) {
    CPU_SET_S(cpu, set.size() * sizeof(cpu_set_t), set.data());
  }
  return set;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

absl::Status Error(absl::string_view program, absl::string_view what,
                   int error = errno) {
  return absl::ErrnoToStatus(error, absl::StrCat("cannot run ", program, what));
}

// Whether the number is the child's, running or not yet reaped: until then
// nobody else can have it.
bool IsOurChild(pid_t pid) {
  siginfo_t info;
  return waitid(P_PID, pid, &info, WEXITED | WNOWAIT | WNOHANG) == 0;
}

// Of a process that has ended.
ExitStatus Reap(pid_t pid) {
  int status = 0;
  pid_t reaped;
  do {
    reaped = waitpid(pid, &status, 0);
  } while (reaped < 0 && errno == EINTR);
  if (reaped < 0) {
    PCHECK(errno == ECHILD);
    return {.known = false};
  }
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {.exit_code = WEXITSTATUS(status)};
}

// After it was killed.
constexpr absl::Duration kTimeToEnd = absl::Seconds(10);
// Loading a program, from a disk that has to wake up.
constexpr absl::Duration kTimeToStart = absl::Minutes(1);

bool IsReadableWithin(int fd, absl::Duration timeout) {
  pollfd watched = {.fd = fd, .events = POLLIN, .revents = 0};
  PollUntil(RealClock().Elapsed() + timeout, absl::MakeSpan(&watched, 1));
  return watched.revents != 0;
}

// What the child reports between fork and exec, where it fails.
absl::Status AwaitExec(int fd, const std::string& program,
                       const ProcessOptions& options) {
  if (!IsReadableWithin(fd, kTimeToStart)) {
    return absl::DeadlineExceededError(
        absl::StrCat("cannot start ", program, ": it is not loaded within ",
                     absl::FormatDuration(kTimeToStart)));
  }
  Failure failure;
  ssize_t got;
  do {
    got = read(fd, &failure, sizeof(failure));
  } while (got < 0 && errno == EINTR);
  if (got != sizeof(failure)) return absl::OkStatus();
  switch (failure.step) {
    case Step::kFiles:
      return Error(program, ": its files cannot be opened", failure.error);
    case Step::kMemoryLimit:
      return Error(program,
                   absl::StrCat(" with a memory limit of ",
                                options.max_memory_bytes, " bytes"),
                   failure.error);
    case Step::kCpus:
      return Error(program, " on the CPUs asked for", failure.error);
    case Step::kDirectory:
      return Error(program, absl::StrCat(" in ", options.working_directory),
                   failure.error);
    case Step::kExec:
      return Error(program, "", failure.error);
  }
  return absl::InternalError(absl::StrCat("cannot run ", program));
}

}  // namespace

std::string ExitStatus::ToString() const {
  if (!known) {
    return "ended, how is not known, as the program that started it ignores "
           "SIGCHLD or waits for all its children";
  }
  if (signal == 0) return absl::StrCat("exited with code ", exit_code);
  const char* name = sigdescr_np(signal);
  return absl::StrCat("was ended by signal ", signal, " (",
                      name == nullptr ? "unknown" : name, ")");
}

absl::StatusOr<Process> Process::Start(const std::vector<std::string>& argv,
                                       const ProcessOptions& options,
                                       absl::Span<const File> files) {
  CHECK(!argv.empty());
  ASSIGN_OR_RETURN(const std::string program, FindProgram(argv[0]));
  std::vector<std::string> arguments = argv;
  std::vector<std::string> environment = Environment(options);
  const std::vector<char*> argument_pointers = Pointers(arguments);
  const std::vector<char*> environment_pointers = Pointers(environment);
  const std::vector<cpu_set_t> cpus = CpuSet(options.cpus);
  const FileDescriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
  int failure_pipe[2];
  if (!null.open() || pipe2(failure_pipe, O_CLOEXEC) != 0) {
    return Error(program, "");
  }
  const FileDescriptor failure_reader(failure_pipe[0]);
  FileDescriptor failure_writer(failure_pipe[1]);

  Plan plan = {
      .program = program.c_str(),
      .argv = argument_pointers.data(),
      .environment = environment_pointers.data(),
      .directory = options.working_directory.empty()
                       ? nullptr
                       : options.working_directory.c_str(),
      .max_memory_bytes = static_cast<rlim_t>(options.max_memory_bytes),
      .cpus = options.cpus.empty() ? nullptr : cpus.data(),
      .cpu_bytes = cpus.size() * sizeof(cpu_set_t),
      .files = {{{null.get(), 0}, {null.get(), 1}, {null.get(), 2}}},
      .file_count = 3,
      .failure_fd = failure_writer.get(),
      .parent = getpid(),
  };
  for (const File& file : files) {
    CHECK(file.from >= 0 && file.to >= 0 && file.to < kFirstFreeFd);
    CHECK_LT(plan.file_count, kMaxFiles);
    plan.files[plan.file_count++] = file;  // a later one takes the place
  }
  const pid_t pid = Fork(plan);
  if (pid < 0) return Error(program, "");
  failure_writer.Close();
  // Not pidfd_open(), which glibc 2.36 does not declare for C++.
  FileDescriptor exit_fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  const int pidfd_error = errno;
  const bool has_exit_fd = exit_fd.open();
  Process process(pid,
                  std::move(exit_fd));  // from here on it is killed on return
  RETURN_IF_ERROR(AwaitExec(failure_reader.get(), program, options));
  if (!has_exit_fd) return Error(program, ": cannot watch it", pidfd_error);
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      exit_fd_(std::move(other.exit_fd_)),
      exit_status_(other.exit_status_) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(exit_fd_, other.exit_fd_);
  std::swap(exit_status_, other.exit_status_);
  return *this;
}

Process::~Process() {
  if (pid_ >= 0) End();
}

void Process::Kill() {
  if (!exit_status_.has_value() && IsOurChild(pid_)) kill(-pid_, SIGKILL);
}

ExitStatus Process::Wait() {
  if (exit_status_.has_value()) return *exit_status_;
  siginfo_t info;
  while (waitid(P_PID, pid_, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  Kill();  // the rest of the group, while it keeps its number
  exit_status_ = Reap(pid_);
  return *exit_status_;
}

ExitStatus Process::End() {
  if (exit_status_.has_value()) return *exit_status_;
  Kill();
  if (!exit_fd_.open() || IsReadableWithin(exit_fd_.get(), kTimeToEnd))
    return Wait();
  LOG(WARNING) << "process " << pid_ << " does not end though it was killed; "
               << "it is left behind";
  exit_status_ = {.known = false};
  return *exit_status_;
}

absl::Duration CpuTimeOf(pid_t pid) {
  clockid_t clock;
  timespec time;
  if (clock_getcpuclockid(pid, &clock) != 0 ||
      clock_gettime(clock, &time) != 0) {
    return absl::ZeroDuration();
  }
  return absl::DurationFromTimespec(time);
}

}  // namespace pruner
