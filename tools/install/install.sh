#!/usr/bin/env bash
# Puts the programs with their libraries into a folder that works wherever it is moved:
#   bazel run //:install -- DIR
# Files of an earlier installation there are replaced, nothing else is: those it put
# there are listed in DIR/share/pruner/installed.txt.
set -euo pipefail

readonly MANIFEST=share/pruner/installed.txt

refuse() {
  echo "install: $*" >&2
  exit 2
}

if (( $# != 1 )) || [[ -z "$1" || "$1" == -* ]]; then
  refuse "into which folder? Say bazel run //:install -- DIR"
fi
# `bazel run` starts programs elsewhere, and tells where the user is.
dir="$(cd "${BUILD_WORKING_DIRECTORY:-.}" && realpath --canonicalize-missing --no-symlinks -- "$1")"
[[ -e tools/install/files.txt ]] || cd "${BASH_SOURCE[0]}.runfiles/pruner"

targets=()
declare -A mode=() source=() earlier=()
while read -r a_mode target a_source; do
  targets+=("${target}")
  mode["${target}"]="${a_mode}"
  source["${target}"]="${a_source}"
done <tools/install/files.txt
if [[ -f "${dir}/${MANIFEST}" ]]; then
  while IFS= read -r target; do
    [[ -z "${target}" ]] || earlier["${target}"]=1
  done <"${dir}/${MANIFEST}"
fi

# Everything is checked before anything is touched.
check_folder() {
  [[ ! -e "$1" || -d "$1" ]] || refuse "$1 is a file, not a folder"
  [[ ! -d "$1" || -w "$1" ]] || refuse "$1 cannot be written to"
}
check_folder "${dir}"
for target in "${targets[@]}" "${MANIFEST}"; do
  for (( folder = 0; folder < ${#target}; ++folder )); do
    [[ "${target:folder:1}" != / ]] || check_folder "${dir}/${target:0:folder}"
  done
  path="${dir}/${target}"
  if [[ -d "${path}" ]]; then
    refuse "${path} is a folder, and a file would go there"
  elif [[ -e "${path}" || -L "${path}" ]] &&
      [[ "${target}" != "${MANIFEST}" && -z "${earlier["${target}"]:-}" ]]; then
    refuse "${path} is not from an earlier installation; move it away, or choose another folder"
  fi
done
reason="$(mkdir --parents -- "${dir}" 2>&1)" || refuse "${reason#mkdir: }"
staging="$(mktemp --directory "${dir}/.install.XXXXXX" 2>&1)" || refuse "${staging#mktemp: }"
trap 'rm -rf "${staging}"' EXIT

# What runs from here goes on with the files it has: they are renamed over, never written
# to, and only once all of the new ones are there.
put() {
  mkdir --parents "$(dirname "${dir}/$1")"
  mv --force --no-target-directory "${staging}/$1" "${dir}/$1"
}
put_manifest() {
  mkdir --parents "$(dirname "${staging}/${MANIFEST}")"
  printf '%s\n' "$@" | LC_ALL=C sort --unique >"${staging}/${MANIFEST}"
  put "${MANIFEST}"
}
for target in "${targets[@]}"; do
  install -D --mode="${mode["${target}"]}" "${source["${target}"]}" "${staging}/${target}"
done
# Should this be interrupted, the next time knows old files and new ones.
put_manifest "${!earlier[@]}" "${targets[@]}"
for target in "${targets[@]}"; do
  put "${target}"
done
for target in "${!earlier[@]}"; do
  # Outside of the folder there is nothing of ours, whatever the list says.
  if [[ -z "${mode["${target}"]:-}" && "/${target}/" != */../* && ! -d "${dir}/${target}" ]]; then
    rm --force -- "${dir}/${target}"
  fi
done
put_manifest "${targets[@]}"

echo "installed into ${dir}:"
printf '  %s\n' "${targets[@]}"
printf 'to start: %q --model=resnet50\n' "${dir}/bin/tune"
