"""Runs one command as the program does, and writes down at its end how much memory it took at most.

`python -m tests.hostile.child REPORT ARGUMENT…`; what the system counts for a child would include its parent's memory.
"""

from __future__ import annotations

import sys
from pathlib import Path


def peak() -> int:
    """The most memory in use so far by this process, in bytes; 0 where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        try:
            import resource
        except ImportError:
            return 0
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def main(report: str, *arguments: str) -> None:
    from confere.cli.main import run
    from confere.cli.output import prepare_streams

    prepare_streams()
    try:
        code = run(arguments)
    finally:
        Path(report).write_text(str(peak()), encoding="ascii")
    sys.exit(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
