#!/bin/sh
# Runs the pinned clang with the pinned libraries that it loads. Bazel starts this in the
# folder that has external/; the paths stay relative, as Bazel wants them in dependency files.
clang=external/clang/usr/lib
LD_LIBRARY_PATH="${clang}/x86_64-linux-gnu" exec "${clang}/llvm-19/bin/clang" \
  -no-canonical-prefixes "$@"
