#!/usr/bin/env bash
# Every C++ source is formatted, and the check that says so can fail.
set -euo pipefail

printf 'int x = 1;\n' >"${TEST_TMPDIR}/good.cc"
printf 'int  x=1 ;\n' >"${TEST_TMPDIR}/bad.cc"
tools/lint.sh --format "${TEST_TMPDIR}/good.cc"
if tools/lint.sh --format "${TEST_TMPDIR}/good.cc" "${TEST_TMPDIR}/bad.cc" 2>/dev/null; then
  echo "a badly formatted file went unnoticed" >&2
  exit 1
fi

tools/lint.sh --format
