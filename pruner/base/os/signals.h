// Ending in an orderly way on Ctrl-C.
#ifndef PRUNER_BASE_OS_SIGNALS_H_
#define PRUNER_BASE_OS_SIGNALS_H_

#include <signal.h>

namespace pruner {

// While it lives, the first SIGINT or SIGTERM only sets a flag, which a program
// polls in its main loop; a second one, more than a tenth of a second later,
// ends the program at once with exit code 130. Signals are the process's: there
// can be one InterruptFlag at a time, in main().
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
};

}  // namespace pruner

#endif  // PRUNER_BASE_OS_SIGNALS_H_
