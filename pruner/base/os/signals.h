// Ending in an orderly way on Ctrl-C, and when the terminal is gone.
#ifndef PRUNER_BASE_OS_SIGNALS_H_
#define PRUNER_BASE_OS_SIGNALS_H_

#include <signal.h>

namespace pruner {

// While it lives, the first SIGINT or SIGTERM only sets a flag, which a program
// polls in its main loop; a second one, more than a tenth of a second later,
// ends the program at once with exit code 130. SIGHUP sets the flag too,
// however often it comes, unless it is ignored, as nohup(1) has it. Signals are
// the process's: there can be one InterruptFlag at a time, in main().
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;

  // Thread-safe and cheap.
  bool raised() const;

 private:
  struct sigaction old_interrupt_;
  struct sigaction old_terminate_;
  struct sigaction old_hangup_;
};

}  // namespace pruner

#endif  // PRUNER_BASE_OS_SIGNALS_H_
