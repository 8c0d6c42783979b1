"""What is installed, and what programs need for that."""

# linkopts of a program that links shared libraries: DIR/bin/program finds DIR/lib
# wherever DIR is moved.
INSTALLED_RPATH = ["-Wl,-rpath,$$ORIGIN/../lib"]

def _installed_files_impl(ctx):
    lines, sources = [], []
    for target, place in ctx.attr.files.items():
        source = target.files.to_list()
        if len(source) != 1:
            fail("%s is not one file" % target.label)
        lines.append("%s %s\n" % (place, source[0].short_path))
        sources += source
    list = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(list, "".join(lines))
    return [DefaultInfo(
        files = depset([list]),
        runfiles = ctx.runfiles(files = [list] + sources),
    )]

# Not a genrule: //tools:lint builds those, and would build all programs.
installed_files = rule(
    implementation = _installed_files_impl,
    doc = "name.txt, a line for each file: mode, path in the folder, path among the runfiles.",
    attrs = {
        "files": attr.label_keyed_string_dict(
            mandatory = True,
            allow_files = True,
            doc = "label of one file to its mode and path in the folder, in the order of " +
                  "putting them in place",
        ),
    },
)
