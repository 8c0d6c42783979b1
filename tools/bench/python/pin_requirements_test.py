#!/usr/bin/env -S python3 -B
import unittest

import pin_requirements


class RequirementsTest(unittest.TestCase):

    def test_all_are_pinned_in_order(self):
        report = {
            "install": [{
                "metadata": {"name": name, "version": version},
                "download_info": {"archive_info": {"hash": "sha256=" + digest}}
            } for name, version, digest in (("numpy", "2.4", "0a"), ("Jinja2", "3.1", "0b"))]
        }
        self.assertEqual(pin_requirements.requirements(report, ["numpy", "jinja2==3.1"]), """\
# Wheels for CPython 3.11 on x86-64 Linux, written by pin_requirements.py of:
#   numpy jinja2==3.1
Jinja2==3.1 \\
    --hash=sha256:0b
numpy==2.4 \\
    --hash=sha256:0a
""")

    def test_what_is_not_pinned(self):
        digest = "    --hash=sha256:" + "0a" * 32
        for text, wrong in (
            ("# heading\n" + 2 * f"numpy==2.4 \\\n{digest}\n", []),
            (f"numpy>=2.4 \\\n{digest}\n", ["numpy>=2.4 \\"]),
            ("numpy==2.4 \\\n    --hash=md5:00\n", ["    --hash=md5:00"]),
            ("numpy==2.4 \\\n", ["numpy==2.4 \\"]),
        ):
            self.assertEqual(pin_requirements.unpinned(text), wrong)


if __name__ == "__main__":
    unittest.main()
