// What a program sets right when it starts, however it was started.
#ifndef PRUNER_BASE_OS_PROGRAM_START_H_
#define PRUNER_BASE_OS_PROGRAM_START_H_

namespace pruner {

// For main, before it opens a file or starts a thread or a child:
//  * what is closed of standard input, output and error becomes /dev/null; else
//    the next file that is opened would take its place and get what is printed;
//  * writing to a pipe that nobody reads any more, or beyond a limit of the
//    size of files, is an error of the write and does not end the program;
//  * the ends of children can be known, which a program that was started with
//    SIGCHLD ignored does not learn.
// Children that Process starts have the usual signal handlers.
void PrepareProgram();

}  // namespace pruner

#endif  // PRUNER_BASE_OS_PROGRAM_START_H_
