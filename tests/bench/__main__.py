"""Benchmarks: `python -m tests.bench NAME`; each prints ratios against a ceiling measured in the same run."""

from __future__ import annotations

import argparse
import importlib
import sys

NAMES = ("intake", "read", "packaging", "browse", "start", "window", "verify")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="+", choices=NAMES)
    parser.add_argument("--documents", type=int, default=None, help="how many documents (each benchmark has its own)")
    given = parser.parse_args()
    for name in given.names:
        run = importlib.import_module(f"tests.bench.{name}").run
        print(f"== {name}")
        run(given.documents) if given.documents else run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
