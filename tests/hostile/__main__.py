"""`python -m tests.hostile [--only TEXT]`: every attempt against the machine, as a table; ten minutes at most."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import own_configuration
from tests.hostile.lines import Case, cases, run_in
from tests.hostile.running import MOST_MEMORY, Ended

_AT_ONCE = 2
_SECONDS = 600.0


def run(case: Case, until: float) -> Ended | None:
    """The case as it ended, None where there was no time left to begin it."""
    if time.monotonic() > until:
        return None
    with tempfile.TemporaryDirectory() as folder:
        return run_in(case, Path(folder))


def main() -> int:
    own_configuration.use_temporary()
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--only", default="", help="those cases with this in their line or name")
    only = parser.parse_args().only
    chosen = [case for case in cases() if only in f"{case.line} {case.name}"]
    until = time.monotonic() + _SECONDS * 0.8  # what has begun by then is let end
    print(f"{'':2}{'line':<15}{'case':<44}{'s':>7}{'MB':>6}{'exit':>5}  outcome")
    bad = left = 0
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for case, ended in zip(chosen, pool.map(lambda case: run(case, until), chosen), strict=True):
            if ended is None:
                left += 1
                print(f"? {case.line:<15}{case.name:<44}{'':18}  not run: no time was left")
                continue
            bad += not ended.is_well or (case.is_slow and ended.code != 0)
            mark = "" if ended.is_well else "!"
            outcome = ended.wrong or ended.sentence or "done"
            print(
                f"{mark:2}{case.line:<15}{case.name:<44}{ended.seconds:>7.1f}{ended.peak / 1e6:>6.0f}"
                f"{ended.code if ended.code is not None else '-':>5}  {outcome[:110]}",
                flush=True,
            )
    bound = f"{MOST_MEMORY // 1_000_000} MB"
    print(f"{len(chosen)} cases: {bad} above {bound}, outside their folder, or a fault; {left} not run")
    return 1 if bad or left else 0


if __name__ == "__main__":
    sys.exit(main())
