#!/usr/bin/env -S python3 -B
import json
import unittest

import report
from report import Comparison, Result
from rounds import timing


def result(name, milliseconds, error, executed_gflop=None):
    """Of one run in each round."""
    return Result(name=name, details=f"details of {name}",
                  timing=timing([[ms / 1e3] for ms in milliseconds]), error=error,
                  executed_gflop=executed_gflop)


ONNX = result("ONNX Runtime", [20, 24, 22], 4.6e-7)
TORCH = result("PyTorch", [40, 44, 40], 1e-6)


class ReportTest(unittest.TestCase):
    maxDiff = None

    def test_one_folder(self):
        comparison = Comparison("resnet50", 1, 2, 8.0,
                                [result("ours", [16, 18, 20], 1.2e-6, 6.3), ONNX, TORCH])
        self.assertEqual(report.comparison_text(comparison), """\
resnet50, batch 1, fp32, 2 threads; 8.00 GFLOP a run as written, of which ours executes 6.30

system        best ms  median ms    of rounds ms  GFLOP/s  executed    error  of ONNX Runtime  of PyTorch
------------  -------  ---------  --------------  -------  --------  -------  ---------------  ----------
ours            16.00      18.00  16.00 to 20.00      444       350  1.2e-06             0.80        0.41
ONNX Runtime    20.00      22.00  20.00 to 24.00      364         -  4.6e-07                1        0.55
PyTorch         40.00      40.00  40.00 to 44.00      200         -  1.0e-06             1.83           1

ours: details of ours
ONNX Runtime: details of ONNX Runtime
PyTorch: details of PyTorch
""")

    def test_several_folders(self):
        comparison = Comparison("tiny", 16, 1, 0.5, [
            result("ours, a", [0.7, 0.8, 0.7], 1e-6, 0.4),
            result("ours, b", [11, 12, 11], 2e-6, 0.5), ONNX
        ])
        self.assertEqual(report.comparison_text(comparison), """\
tiny, batch 16, fp32, 1 threads; 0.50 GFLOP a run as written, of which ours executes 0.40 to 0.50

system           best ms  median ms      of rounds ms  GFLOP/s  executed    error      of ONNX Runtime
---------------  -------  ---------  ----------------  -------  --------  -------  -------------------
ours, 2 folders   0.7000       5.85   0.7000 to 11.00       85         -  2.0e-06  0.27 (0.03 to 0.50)
ours, a           0.7000     0.7000  0.7000 to 0.8000      714       571  1.0e-06                 0.03
ours, b            11.00      11.00    11.00 to 12.00       45        45  2.0e-06                 0.50
ONNX Runtime       20.00      22.00    20.00 to 24.00       23         -  4.6e-07                    1

ours: details of ours, a
ONNX Runtime: details of ONNX Runtime
""")

    def test_beside_one_of_the_folders(self):
        comparison = Comparison("tiny", 1, 1, 0.5, [
            result("ours, a", [10, 12, 10], 1e-6, 0.4),
            result("ours, b", [11, 12, 10.5], 2e-6, 0.5),
        ], beside=["ours, a"])
        self.assertEqual(report.comparison_text(comparison), """\
tiny, batch 1, fp32, 1 threads; 0.50 GFLOP a run as written, of which ours executes 0.40 to 0.50

system           best ms  median ms    of rounds ms  GFLOP/s  executed    error           of ours, a
---------------  -------  ---------  --------------  -------  --------  -------  -------------------
ours, 2 folders    10.00      10.50  10.00 to 11.00       48         -  2.0e-06  1.05 (1.05 to 1.05)
ours, a            10.00      10.00  10.00 to 12.00       50        40  1.0e-06                    1
ours, b            10.50      11.00  10.50 to 12.00       45        45  2.0e-06                1.050

ours: details of ours, a
""")
        a, b = report.as_json("a machine", 3, 0.5, [comparison])["networks"][0]["systems"]
        self.assertEqual(a["ratios"], {})
        self.assertAlmostEqual(b["ratios"]["ours, a"], 1.05)

    def test_json_has_the_same_figures(self):
        comparison = Comparison("resnet50", 1, 2, 8.0,
                                [result("ours", [16, 18, 20], 1.2e-6, 6.3), ONNX])
        figures = json.loads(json.dumps(report.as_json("a machine", 3, 0.5, [comparison])))
        self.assertEqual(figures["machine"], "a machine")
        network, = figures["networks"]
        self.assertEqual((network["model"], network["batch"], network["gflop"]),
                         ("resnet50", 1, 8.0))
        ours, onnx = network["systems"]
        self.assertEqual(ours["round_medians_ms"], [16, 18, 20])
        self.assertEqual((ours["best_ms"], ours["median_ms"]), (16, 18))
        self.assertEqual(ours["executed_gflop"], 6.3)
        self.assertAlmostEqual(ours["ratios"]["ONNX Runtime"], 0.8)
        self.assertEqual(onnx["ratios"], {})
        self.assertNotIn("executed_gflop", onnx)


if __name__ == "__main__":
    unittest.main()
