"""Tests that feed a reader with bytes that nobody has written."""

def fuzz_test(name, srcs, deps, seeds, runs, max_bytes = 4096, size = "medium"):
    """A test of LLVMFuzzerTestOneInput, which srcs define.

    With --config=asan libFuzzer looks for inputs that reach new code. Otherwise the test is
    what gcc can do: the seeds, and some thousand random changes of them. Both make the same
    inputs each time.

    Args:
      name: of the cc_test; ends with _fuzz_test.
      srcs: C++ sources.
      deps: what they include.
      seeds: the folder of testdata/fuzz with what libFuzzer starts from.
      runs: inputs that libFuzzer tries, in some 15 seconds; without it a twentieth.
      max_bytes: of an input.
      size: of the cc_test.
    """
    folder = "testdata/fuzz/" + seeds
    driver = "//pruner/base/fuzz:"
    native.cc_test(
        name = name,
        size = size,
        srcs = srcs,
        args = ["--seeds=" + folder] + select({
            driver + "has_libfuzzer": [
                "-runs=%d" % runs,
                "-seed=1",
                "-max_len=%d" % max_bytes,
                "-timeout=20",
                "-rss_limit_mb=2048",
            ],
            "//conditions:default": [
                "--runs=%d" % (runs // 20),
                "--max_bytes=%d" % max_bytes,
            ],
        }),
        data = ["//testdata:fuzz_" + seeds],
        linkopts = select({
            driver + "has_libfuzzer": ["-fsanitize=fuzzer"],
            "//conditions:default": [],
        }),
        tags = ["libfuzzer"],
        deps = deps + select({
            driver + "has_libfuzzer": [driver + "libfuzzer_arguments"],
            "//conditions:default": [driver + "replay_main"],
        }),
    )
