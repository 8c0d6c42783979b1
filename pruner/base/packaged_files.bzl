"""Files that are compiled in."""

def packaged_files(name, srcs, function):
    """A private cc_library with the header name.h, which declares the function.

    Args:
      name: of the cc_library.
      srcs: files of one extension, by whose names without it they are known.
      function: absl::Span<const PackagedFile> function(), the files in order.
    """
    native.genrule(
        name = name + "_cc",
        srcs = srcs,
        outs = [name + ".cc"],
        cmd = """{
echo '#include "%s/%s.h"'
echo '#include <cstddef>'
echo 'namespace pruner {'
echo 'namespace {'
echo 'template <size_t n>'
echo 'absl::string_view View(const unsigned char (&bytes)[n]) {'
echo '  return {reinterpret_cast<const char*>(bytes), n};'
echo '}'
for file in $(SRCS); do
  base=$$(basename $$file)
  echo "constexpr unsigned char k_$${base%%.*}[] = {"
  od -An -v -tu1 $$file | sed 's/ *\\([0-9][0-9]*\\)/\\1,/g'
  echo '};'
done
echo '}  // namespace'
echo 'absl::Span<const PackagedFile> %s() {'
echo '  static const PackagedFile kFiles[] = {'
for file in $(SRCS); do
  base=$$(basename $$file)
  echo "{\\"$${base%%.*}\\", View(k_$${base%%.*})},"
done
echo '  };'
echo '  return kFiles;'
echo '}'
echo '}  // namespace pruner'
} > $@""" % (native.package_name(), name, function),
    )
    native.cc_library(
        name = name,
        srcs = [name + ".cc"],
        hdrs = [name + ".h"],
        visibility = ["//visibility:private"],
        deps = [
            "//pruner/base:packaged_file",
            "@com_google_absl//absl/strings:string_view",
            "@com_google_absl//absl/types:span",
        ],
    )
