#!/bin/bash
# The plugin exports nothing that could clash with its host's.
set -euo pipefail
plugin="$1"
[[ -s "${plugin}" ]]
exported="$(nm --dynamic --defined-only --extern-only "${plugin}")"
if [[ -n "${exported}" ]]; then
  echo "${plugin} exports"
  echo "${exported}"
  exit 1
fi
