"""Kills `confere close` at many moments; the month is closed whole then, or not at all: `python -m tests.close_kill`.

The command waits before each statement that it gives to SQLite in turn; it is killed there. Then both chains must
hold, the file must be sound, and closing again must close the month.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from contextlib import closing
from pathlib import Path
from typing import Final

from confere.app.closing import close_month
from confere.app.closing.close_month import CloseOutcome, CloseRequest
from confere.app.context import Workspace
from confere.app.maintenance.checks import chain_checks
from confere.app.maintenance.checks.check_result import Examination
from tests.archive.papers import note, store

MOMENTS: Final = 20
MONTH: Final = "2026-10"
DOCUMENTS: Final = 40
_CHILD: Final = textwrap.dedent(
    """
    import sys
    from sqlalchemy import Engine, event
    from confere.app.closing import close_month
    from confere.app.context import Workspace
    seen = 0

    @event.listens_for(Engine, "before_cursor_execute")
    def wait(*_):
        global seen
        seen += 1
        if seen == int(sys.argv[2]):
            print("waits", flush=True)
            sys.stdin.read()

    @event.listens_for(Engine, "commit")
    def last(*_):
        wait()

    close_month.close(Workspace.at(sys.argv[1]), close_month.CloseRequest(sys.argv[3]))
    wait()
    print(seen, flush=True)
    """
)


def made(home: Path) -> Path:
    """A data folder with some documents of the month, which is not closed."""
    with Workspace.at(home).writing("test") as archive:
        store(archive, *(note(number) for number in range(1, DOCUMENTS + 1)))
    return home


def statements(home: Path) -> int:
    """How many statements and commits a closing takes; the month is closed then."""
    answer = subprocess.run(_command(home, 0), check=True, capture_output=True, text=True)
    return int(answer.stdout)


def killed_at(home: Path, statement: int) -> bool:
    """Close the month and kill it before this statement; whether the month is closed then. AssertionError where the
    archive is not as it has to be."""
    with subprocess.Popen(_command(home, statement), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "waits\n"
        child.kill()
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    workspace = Workspace.at(home)
    found = Examination()
    with workspace.reading() as archive:
        chain_checks.of_chains(workspace, archive, found)
    assert found.well, found.findings
    was_closed = found.facts["closing_chain"]["acts"] == 1
    (result,) = close_month.close(workspace, CloseRequest(MONTH)).results
    assert result.outcome is (CloseOutcome.UNCHANGED if was_closed else CloseOutcome.CLOSED)
    return was_closed


def _command(home: Path, statement: int) -> list[str]:
    return [sys.executable, "-c", _CHILD, str(home), str(statement), MONTH]


def main() -> int:
    """Print what each kill left; 1 where one left something half done."""
    with tempfile.TemporaryDirectory() as folder:
        source = made(Path(folder) / "source")
        count = statements(shutil.copytree(source, Path(folder) / "whole"))
        for moment in range(MOMENTS):
            statement = 1 + moment * (count - 1) // (MOMENTS - 1)
            home = shutil.copytree(source, Path(folder) / f"killed-{moment}")
            is_closed = killed_at(home, statement)
            print(f"killed before statement {statement} of {count}: {'closed' if is_closed else 'not closed'}, whole")
    return 0


if __name__ == "__main__":
    sys.exit(main())
