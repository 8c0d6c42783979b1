// Writes the blur into a pipeline file:
//   bazel run -c opt //examples:write_pipeline -- /tmp/blur.hlpipe
// Nothing here but the flags is ours: any program that has Halide writes such
// files.
#include <cstdio>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "examples/blur.h"

ABSL_FLAG(int, width, 1920, "columns of the image");
ABSL_FLAG(int, height, 1088, "rows of the image");

int main(int argc, char** argv) {
  const std::vector<char*> arguments = absl::ParseCommandLine(argc, argv);
  if (arguments.size() != 2) {
    std::fprintf(stderr, "usage: write_pipeline FILE.hlpipe [--width=…]\n");
    return 2;
  }
  // Its output has bounds; estimates would do.
  const Halide::Pipeline blur = pruner::BlurPipeline(
      absl::GetFlag(FLAGS_width), absl::GetFlag(FLAGS_height));
  try {
    Halide::serialize_pipeline(blur, std::string(arguments[1]));
  } catch (const Halide::Error& error) {
    std::fprintf(stderr, "write_pipeline: %s", error.what());
    return 1;
  }
  return 0;
}
