"""Runs tests in a process of their own, and writes down how much memory that took: `… REPORT PYTEST-ARGUMENT…`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hostile.child import peak


def main(report: str, *arguments: str) -> None:
    code = int(pytest.main(list(arguments)))
    Path(report).write_text(str(peak()), encoding="ascii")
    sys.exit(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
