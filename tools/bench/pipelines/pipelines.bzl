"""Generators of testdata/pipelines, scheduled in several ways."""

load("//third_party:halide.bzl", "halide_library")

# Of all that schedules for CPUs.
_PARALLELISM = {"autoscheduler.parallelism": "2"}

_PRUNER = "//halide_ext/plugin:libautoschedule_pruner.so"

_SCHEDULERS = {
    "adams2019": ("Adams2019", "@halide//:adams2019", _PARALLELISM),
    "hand": (None, None, {}),
    "li2018": ("Li2018", "@halide//:li2018", _PARALLELISM),
    "mullapudi2016": ("Mullapudi2016", "@halide//:mullapudi2016", _PARALLELISM),
    "pruner": ("Pruner", _PRUNER, _PARALLELISM),
}

# For GPUs, where those by hand are the CPU's.
_DEVICE_TARGET = "x86-64-linux-sse41-avx-avx2-f16c-fma-cuda-cuda_capability_80"

_DEVICE_SCHEDULERS = {
    "anderson2021": ("Anderson2021", "@halide//:anderson2021", {"autoscheduler.parallelism": "132"}),
    "li2018": ("Li2018", "@halide//:li2018", {}),
    "mullapudi2016": ("Mullapudi2016", "@halide//:mullapudi2016", {
        "autoscheduler.experimental_gpu_schedule": "1",
        "autoscheduler.parallelism": "132",
    }),
    "pruner": ("Pruner", _PRUNER, {"autoscheduler.target_spec": "h200"}),
    "without_passes": ("Pruner", _PRUNER, {
        "autoscheduler.passes": "off",
        "autoscheduler.target_spec": "h200",
    }),
}

# With timings in the loop; those of pyramids take longer than the usual ten minutes.
_TUNED = dict(_PARALLELISM, **{
    "autoscheduler.strict": "1",
    "autoscheduler.time_limit": "15m",
    "autoscheduler.trials": "300",
})

def _libraries(pipeline, where, schedulers, without, **kwargs):
    """A halide_library by each of the schedulers but those without; their labels."""
    labels = []
    for scheduler, (autoscheduler, plugin, params) in schedulers.items():
        if scheduler in without.get(pipeline, []):
            continue
        library = "%s%s_by_%s" % (pipeline, where, scheduler)
        halide_library(
            name = library,
            autoscheduler = autoscheduler,
            function = pipeline,
            generator = ":%s_generator" % pipeline,
            params = params,
            plugin = plugin,
            registered = True,
            **kwargs
        )
        labels.append(":" + library)
    return labels

def scheduled_pipelines(name, pipelines, tested, without = {}, without_on_device = {}):
    """cc_libraries that register pipelines by their schedulers as PIPELINE_by_SCHEDULER.

    NAME has all of them; NAME_tuned has PIPELINE_by_tuned, ours after 300 trials;
    NAME_checked those by hand and of ours; NAME_tested of these what is compiled in seconds.
    NAME_on_device has those for a GPU, as PIPELINE_on_device_by_SCHEDULER.

    Args:
      name: of the cc_library.
      pipelines: file stems, which are the generators' names.
      tested: some of them.
      without: schedulers that fail, by pipeline.
      without_on_device: the same for a GPU.
    """
    libraries = []
    on_device = []
    kwargs = {"tags": ["manual"], "testonly": True}
    for pipeline in pipelines:
        native.cc_binary(
            name = pipeline + "_generator",
            srcs = ["//testdata/pipelines:%s.cc" % pipeline],
            deps = ["@halide//:gengen"],
            **kwargs
        )
        libraries += _libraries(pipeline, "", _SCHEDULERS, without, **kwargs)
        on_device += _libraries(
            pipeline,
            "_on_device",
            _DEVICE_SCHEDULERS,
            without_on_device,
            target = _DEVICE_TARGET,
            **kwargs
        )
        on_device.append(":%s_by_hand" % pipeline)
        halide_library(
            name = pipeline + "_by_tuned",
            autoscheduler = "Pruner",
            function = pipeline,
            generator = ":%s_generator" % pipeline,
            params = _TUNED,
            plugin = _PRUNER,
            registered = True,
            # Timed on the machine itself.
            tags = ["local", "manual"],
            testonly = True,
        )
    native.cc_library(
        name = name,
        deps = libraries,
        **kwargs
    )
    native.cc_library(
        name = name + "_on_device",
        deps = on_device,
        **kwargs
    )
    native.cc_library(
        name = name + "_tuned",
        deps = [":%s_by_tuned" % pipeline for pipeline in pipelines],
        **kwargs
    )
    for suffix, checked in {"_checked": pipelines, "_tested": tested}.items():
        native.cc_library(
            name = name + suffix,
            deps = [
                ":%s_by_%s" % (pipeline, scheduler)
                for pipeline in checked
                for scheduler in ["hand", "pruner"]
            ],
            **kwargs
        )
