"""Python's Halide loads the plugin, and what that schedules computes the same."""

import sys

import halide as hl

WIDTH, HEIGHT = 200, 120


def box_filter():
    x, y = hl.Var("x"), hl.Var("y")
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    rows, out = hl.Func("rows"), hl.Func("out")
    rows[x, y] = (image[x, y] + image[x + 1, y] + image[x + 2, y]) // 3
    out[x, y] = (rows[x, y] + rows[x, y + 1] + rows[x, y + 2]) // 3
    image.dim(0).set_estimate(0, WIDTH + 2)
    image.dim(1).set_estimate(0, HEIGHT + 2)
    out.set_estimates([(0, WIDTH), (0, HEIGHT)])
    return image, hl.Pipeline(out)


def filtered(image, pipeline, width, height):
    pixels = hl.Buffer(hl.UInt(16), [width + 2, height + 2])
    for y in range(height + 2):
        for x in range(width + 2):
            pixels[x, y] = (x * 7919 + y * 104729) % 1009
    image.set(pixels)
    out = pipeline.realize([width, height])
    return [out[x, y] for y in range(height) for x in range(width)]


def main():
    hl.load_plugin(sys.argv[1])
    plain, scheduled = box_filter(), box_filter()
    params = hl.AutoschedulerParams("Pruner", {"parallelism": "2", "strict": "1"})
    results = scheduled[1].apply_autoscheduler(hl.get_host_target(), params)
    assert "vectorize" in results.schedule_source, results.schedule_source
    for width, height in [(WIDTH, HEIGHT), (1, 1), (37, 5)]:
        assert filtered(*plain, width, height) == filtered(*scheduled, width, height)


if __name__ == "__main__":
    main()
