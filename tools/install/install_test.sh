#!/usr/bin/env bash
# The installed folder works where there is nothing of Bazel's, and installing spares
# what is not its own.
set -euo pipefail

readonly INSTALL="${PWD}/tools/install/install"
# Where the user is. A blank and a comma are what users have in their paths.
user="${TEST_TMPDIR}/a user, here"
mkdir -p "${user}/home"
cp testdata/logs/tiny.log testdata/tiny.txtpb "${user}"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

install_to() {
  BUILD_WORKING_DIRECTORY="${user}" "${INSTALL}" "$@"
}

# Runs a program in an empty environment: no library path, no compiler, no runfiles.
bare() {
  (cd "${user}" && env -i HOME="${user}/home" PATH=/nonexistent "$@")
}

# All that is in a folder, with inodes: a file that was replaced differs.
contents() {
  find "$1" -printf '%P %i %s %m %l\n' | sort
}

expect_refusal() {
  local says="$1" before after code=0
  shift
  before="$(contents "${user}")"
  install_to "$@" >"${TEST_TMPDIR}/out" 2>"${TEST_TMPDIR}/err" || code=$?
  after="$(contents "${user}")"
  (( code == 2 )) || fail "exit code ${code} of: install $*"
  [[ ! -s "${TEST_TMPDIR}/out" ]] || fail "a refusal prints to stdout: $*"
  [[ "$(wc -l <"${TEST_TMPDIR}/err")" == 1 ]] || fail "no single sentence: $(cat "${TEST_TMPDIR}/err")"
  grep --quiet --fixed-strings -- "${says}" "${TEST_TMPDIR}/err" ||
    fail "no '${says}' in: $(cat "${TEST_TMPDIR}/err")"
  [[ "${before}" == "${after}" ]] || fail "touched something: install $*"
}

# Refusals, with nothing there.
touch "${user}/regular"
mkdir -p "${user}/taken/bin" "${user}/twisted/share" "${user}/folder/lib/libHalide.so"
echo mine >"${user}/taken/bin/tune"
echo mine >"${user}/twisted/share/doc"
expect_refusal "bazel run //:install -- DIR"
expect_refusal "bazel run //:install -- DIR" ""
expect_refusal "bazel run //:install -- DIR" one two
expect_refusal "bazel run //:install -- DIR" --help
expect_refusal "${user}/regular is a file" regular
expect_refusal "${user}/regular" regular/below
expect_refusal "/proc/pruner" /proc/pruner
expect_refusal "${user}/taken/bin/tune" taken
expect_refusal "${user}/twisted/share/doc is a file" twisted
expect_refusal "${user}/folder/lib/libHalide.so is a folder" folder

# Into a folder that is there and has files of its owner, then moved.
mkdir -p "${user}/new/bin"
echo mine >"${user}/new/bin/mine"
install_to new >"${TEST_TMPDIR}/out"
grep --quiet "bin/tune" "${TEST_TMPDIR}/out" || fail "does not say what was installed"
moved="${user}/moved/else where"
mkdir "${user}/moved"
mv "${user}/new" "${moved}"
[[ -z "$(find "${moved}" -type l)" ]] || fail "symbolic links were installed"
[[ -z "$(find "${moved}" -name '.*')" ]] || fail "temporary files are left"
[[ "$(stat --format=%a "${moved}/bin/tune" "${moved}/lib/libHalide.so" | xargs)" == "755 644" ]] ||
  fail "modes are not 755 and 644"
[[ "$(cat "${moved}/bin/mine")" == mine ]] || fail "a file of the owner was touched"

# All libraries are those installed or the system's.
for file in "${moved}"/bin/{collect,curves,evaluate,records,run,tune} "${moved}"/lib/*.so; do
  ldd "${file}" >"${TEST_TMPDIR}/libraries" || fail "ldd ${file}"
  while read -r name arrow path; do
    [[ "${arrow}" != "=>" ]] || case "${path}" in
      /lib/* | /lib64/* | /usr/lib/* | "${moved}"/*) ;;
      *) fail "${file##*/} does not find ${name} in lib/ or the system, but: ${path} (linkopts = INSTALLED_RPATH?)" ;;
    esac
  done <"${TEST_TMPDIR}/libraries"
  readelf --dynamic "${file}" | sed -n 's/.*R.*PATH.*\[\(.*\)\]/\1/p' | tr : '\n' >"${TEST_TMPDIR}/paths"
  # shellcheck disable=SC2016
  ! grep --quiet --invert-match '^\$ORIGIN' "${TEST_TMPDIR}/paths" ||
    fail "${file##*/} looks for libraries in $(xargs <"${TEST_TMPDIR}/paths")"
done

# The programs.
[[ "$(bare "${moved}/bin/tune" --help)" == "$(tools/tune/tune --help)" ]] || fail "tune --help differs"
bare "${moved}/bin/records" --log=tiny.log >"${TEST_TMPDIR}/out"
grep --quiet "10 records of tiny" "${TEST_TMPDIR}/out" || fail "records: $(cat "${TEST_TMPDIR}/out")"
ln -s "${moved}/bin/tune" "${user}/link"  # plugins are found from the real program
bare "${user}/link" --model=tiny.txtpb --trials=6 --cost_model=mlp --output_dir=out --compare=mullapudi2016 \
  >"${TEST_TMPDIR}/out" || fail "tune: exit code $?"
grep --quiet "6/6 trials" "${TEST_TMPDIR}/out" || fail "tune: $(cat "${TEST_TMPDIR}/out")"
grep --quiet "mullapudi2016 ms" "${TEST_TMPDIR}/out" || fail "no comparison: $(cat "${TEST_TMPDIR}/out")"
! grep --quiet " failed$" "${TEST_TMPDIR}/out" || fail "a plugin failed: $(cat "${TEST_TMPDIR}/out")"
bare "${moved}/bin/run" --dir=out --seconds=0.05 >"${TEST_TMPDIR}/out" || fail "run: exit code $?"
grep --quiet "median" "${TEST_TMPDIR}/out" || fail "run: $(cat "${TEST_TMPDIR}/out")"

# The plugin with its worker, from a generator that knows nothing of either.
# (A generator takes the comma of a path for the end of a plugin's name.)
generator="${PWD}/halide_ext/plugin/unsharp_generator"
(cd "${moved}/lib" && "${generator}" -g unsharp -f unsharp -o "${user}" -e schedule target=host \
  -p ./libautoschedule_pruner.so autoscheduler=Pruner autoscheduler.strict=1) \
  >"${TEST_TMPDIR}/out" 2>&1 || fail "the plugin: $(cat "${TEST_TMPDIR}/out")"
grep --quiet "vectorize" "${user}/unsharp.schedule.h" || fail "no schedule: $(cat "${user}/unsharp.schedule.h")"

# The same from a CMake project, as docs/autoscheduler.md has it.
project="${TEST_TMPDIR}/project"
mkdir "${project}"
cp -L tools/install/CMakeLists.test.txt "${project}/CMakeLists.txt"
cp -L tools/install/sharpen.test.cc "${project}/sharpen.cc"
cp -L halide_ext/plugin/unsharp_generator.cc "${project}"
# (Nor does Halide's way to name plugins allow for commas.)
ln -s "${moved}" "${TEST_TMPDIR}/installed"
cmake="${PWD}/external/cmake/cmake/data/bin/cmake"
"${cmake}" -G Ninja -DCMAKE_MAKE_PROGRAM="${PWD}/external/cmake/ninja-1.13.2.data/scripts/ninja" \
  -DHalide_DIR="${PWD}/external/halide_python/halide/lib64/cmake/Halide" \
  -DHalidePruner_DIR="${TEST_TMPDIR}/installed/lib/cmake/HalidePruner" \
  -S "${project}" -B "${project}/build" >"${TEST_TMPDIR}/out" 2>&1 || fail "cmake: $(cat "${TEST_TMPDIR}/out")"
"${cmake}" --build "${project}/build" >"${TEST_TMPDIR}/out" 2>&1 || fail "cmake --build: $(cat "${TEST_TMPDIR}/out")"
grep --quiet "vectorize" "${project}/build/unsharp.schedule.h" || fail "CMake: no schedule"
"${project}/build/sharpen" || fail "what CMake built: exit code $?"

# Again: what was installed is replaced, not written to; what no longer is goes, and
# nothing outside of the folder.
echo old >"${moved}/lib/libold.so"
echo mine >"${user}/moved/mine"
printf '%s\n' lib/libold.so ../mine >>"${moved}/share/pruner/installed.txt"
inode="$(stat --format=%i "${moved}/bin/tune")"
exec 3<"${moved}/bin/tune"  # as long as it is open nobody else gets its number
install_to "${moved}" >/dev/null
[[ "$(stat --format=%i "${moved}/bin/tune")" != "${inode}" ]] || fail "a program was written to"
[[ ! -e "${moved}/lib/libold.so" ]] || fail "a file of the earlier installation is left"
[[ -e "${user}/moved/mine" ]] || fail "a file outside of the folder was removed"
[[ "$(cat "${moved}/bin/mine")" == mine ]] || fail "a file of the owner was touched"
LC_ALL=C diff "${moved}/share/pruner/installed.txt" \
  <(cd "${moved}" && find . -type f -printf '%P\n' | grep -vxF -e bin/mine -e share/pruner/installed.txt | LC_ALL=C sort) ||
  fail "installed.txt is not what was installed"
