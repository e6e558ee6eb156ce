"""Benchmarks: `python -m tests.bench NAME`; each prints ratios against a ceiling measured in the same run."""

from __future__ import annotations

import argparse
import importlib
import sys

from tests import own_configuration

NAMES = (
    "intake", "read", "packaging", "browse", "start", "window", "verify", "reconcile", "shapes", "damage", "bits",
    "full_disk", "hostile", "clients", "columns",
)  # fmt: skip


def _seeds(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def main() -> int:
    own_configuration.use_temporary()
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="+", choices=NAMES)
    parser.add_argument("--documents", type=int, default=None, help="how many documents (each benchmark has its own)")
    parser.add_argument("--seeds", type=_seeds, default=None, help="which worlds, as 11,12,13 (reconcile, shapes)")
    parser.add_argument("--damages", type=int, default=None, help="how many damages (damage)")
    parser.add_argument("--flips", type=int, default=None, help="how many bits are flipped, one at a time (bits)")
    parser.add_argument("--seed", type=int, default=None, help="what is drawn (bits)")
    parser.add_argument("--only", default=None, help="those cases whose name has this in it (hostile)")
    given = parser.parse_args()
    options = ("documents", "seeds", "damages", "flips", "seed", "only")
    asked = {name: getattr(given, name) for name in options}
    chosen = {name: value for name, value in asked.items() if value is not None}
    for name in given.names:
        print(f"== {name}")
        importlib.import_module(f"tests.bench.{name}").run(**chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
