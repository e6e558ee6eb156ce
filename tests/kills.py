"""Kills ten operations at many moments; each ends with what an undisturbed run leaves: `python -m tests.kills`.

A process ends as SIGKILL ends it just before one of its acts: a statement or commit that it gives to SQLite, or a file
that it makes, links, renames or removes. Its acts are counted first, and the moments lie evenly among them. Then the
archive is whole, and where the work is not done the same command does it.
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from confere.archive.maintenance.backups import backup_check
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.archive.papers import note
from tests.bench.bits import quiet
from tests.end_to_end.confere import ENVIRONMENT, add_account, confere, contents

MONTH: Final = "2026-10"
DOCUMENTS: Final = 120
EVENTS: Final = ("os.link", "os.rename", "os.remove", "os.mkdir", "sqlite3.connect", "open")
_CHILD: Final = """
import os, signal, sys
from sqlalchemy import Engine, event
at, seen = int(sys.argv[1]), 0

def act(*_):
    global seen
    seen += 1
    if seen == at:
        os.kill(os.getpid(), 9)

def hook(name, arguments):
    if name in {events!r} and (name != "open" or (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)):
        act()

event.listen(Engine, "before_cursor_execute", act)
event.listen(Engine, "commit", act)
from confere.cli.main import run
sys.addaudithook(hook)
code = run(sys.argv[2:])
sys.stderr.write(f"acts {{seen}}\\n")
raise SystemExit(code)
"""
_TABLES: Final = (
    "SELECT account_id, rule, period, state, note, orders, keys FROM finding",
    "SELECT account_id, order_hub_id, access_key, kind FROM link",
    "SELECT kind, detail FROM act",
    "SELECT order_hub_id, access_key, word, is_standing FROM decision",
    "SELECT company, month, kind, totals FROM closing",
    "SELECT hub_id, status, total, reader FROM sales_order",
    "SELECT source, content_id FROM arrival WHERE source NOT LIKE 'hub:%'",
    "SELECT problem, reader FROM content WHERE family = 0",
)


@dataclass(frozen=True, slots=True)
class Operation:
    """A command, and the data folder that it begins with. `{out}` and `{given}` in it are folders."""

    name: str
    base: Path
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Killing:
    """A moment of an operation, how it ended, and what was wrong afterwards; empty where nothing was."""

    operation: str
    act: int
    ended: bool
    wrong: str


def operations(folder: Path, hub: Any) -> Iterator[Operation]:
    """The ten, each with a data folder in which it has something to do."""

    def made(name: str, of: Path, *commands: Sequence[str]) -> Path:
        target = folder / name
        shutil.copytree(of, target)
        for arguments in commands:
            done = confere(target, *arguments)
            assert done.code in (0, 1), done
        return target

    new = folder / "new"
    add_account(new, "hub", hub.address, hub.token)
    given = folder / "given"
    given.mkdir()
    for number in range(1, 41):
        (given / f"{number}.xml").write_bytes(note(number))
    synced = made("synced", new, ["sync"])
    judged = made("judged", synced, ["reconcile"])
    saved = made("saved", judged, ["backup", str(folder / "saved.sqlite3")], ["import", str(given)])
    damaged = made("damaged", synced)
    with closing(sqlite3.connect(damaged / "archive.sqlite3")) as database, database:
        database.execute("DELETE FROM item WHERE document_id % 3 = 0")
        database.execute("DELETE FROM document WHERE id % 7 = 0")
    with closing(sqlite3.connect(f"file:{judged / 'archive.sqlite3'}?mode=ro", uri=True)) as database:
        (finding,) = database.execute("SELECT min(id) FROM finding WHERE state IN ('open', 'not_checked')").fetchone()
    yield Operation("sync", new, ("sync",))
    yield Operation("import", synced, ("import", str(given)))
    yield Operation("reconcile", synced, ("reconcile",))
    yield Operation("decision", judged, ("findings", "explain", str(finding), "--note", "as agreed"))
    yield Operation("close", judged, ("close", "--period", MONTH, "--incomplete"))
    yield Operation("export", judged, ("export", "--period", MONTH, "--to", "{out}"))
    yield Operation("backup", judged, ("backup",))
    yield Operation("restore", saved, ("restore", "--yes", str(folder / "saved.sqlite3")))
    yield Operation("reindex", synced, ("reindex", "--all"))
    yield Operation("repair", damaged, ("doctor", "--repair"))


def left(operation: Operation, home: Path) -> Any:
    """What an operation is to leave, the same after every run of it."""
    state: dict[str, Any] = dict(contents(home))
    with closing(sqlite3.connect(f"file:{home / 'archive.sqlite3'}?mode=ro", uri=True)) as database:
        for sql in _TABLES:
            state[sql] = sorted(map(repr, database.execute(sql)))
    out = home / "out"
    state["files"] = {
        path.relative_to(out).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file() and not path.name.endswith((".partial", ".tmp"))
    }
    if operation.name == "backup":
        state["backups"] = min(1, len(list((home / "backups").glob("archive-copy-*.sqlite3"))))
    return state


def whole(home: Path) -> str:
    """What is not whole of the archive and its copies; empty where all are."""
    copies = [*home.glob("archive-before-restore-*.sqlite3"), *home.joinpath("backups").glob("archive-*.sqlite3")]
    archive = home / "archive.sqlite3"
    for path in (*([archive] if archive.exists() and archive.stat().st_size else []), *copies):
        try:
            backup_check.check(path)
        except Exception as error:
            return f"{path.name}: {error}"
    return ""


def run_in(home: Path, operation: Operation, kill_at: int) -> subprocess.CompletedProcess[str]:
    """The operation in a process of its own, which ends before that act; 0 lets it live."""
    arguments = [argument.format(out=home / "out") for argument in operation.arguments]
    return subprocess.run(
        [sys.executable, "-c", _CHILD.format(events=EVENTS), str(kill_at), "--home", str(home), *arguments],
        capture_output=True, text=True, env=ENVIRONMENT, check=False, timeout=600, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@contextmanager
def copied(folder: Path, base: Path) -> Iterator[Path]:
    """A copy of a data folder, gone afterwards."""
    home = Path(tempfile.mkdtemp(dir=folder)) / "home"
    shutil.copytree(base, home)
    try:
        yield home
    finally:
        shutil.rmtree(home.parent, ignore_errors=True)


def killings(folder: Path, operation: Operation, moments: int) -> Iterator[Killing]:
    """Each moment of an operation in a copy of its own."""
    with copied(folder, operation.base) as home:
        calm = run_in(home, operation, 0)
        assert calm.returncode in (0, 1), calm.stderr
        acts = int(calm.stderr.rpartition("acts ")[2])
        expected = left(operation, home)
    for number in range(moments):
        act = max(1, round(acts * (number + 0.5) / moments))
        with copied(folder, operation.base) as home:
            done = run_in(home, operation, act)
            yield Killing(operation.name, act, done.returncode in (0, 1), _wrong(operation, home, expected))


def _wrong(operation: Operation, home: Path, expected: Any) -> str:
    broken = whole(home)
    if broken:
        return broken
    if not _is(expected, operation, home):
        again = run_in(home, operation, 0)
        if again.returncode not in (0, 1):
            return f"it does not go on: {again.stderr[-300:]}"
        if not _is(expected, operation, home):
            now = left(operation, home)
            return "another end: " + ", ".join(name for name in expected if now.get(name) != expected[name])
    return whole(home)


def _is(expected: Any, operation: Operation, home: Path) -> bool:
    try:
        return bool(left(operation, home) == expected)
    except Exception:  # no archive yet, or one that nobody has finished
        return False


def main(moments: int, documents: int, only: str = "", tell: Callable[[str], None] = print) -> int:
    """Kill each operation at so many moments; how many went wrong."""
    bad = count = 0
    with (
        tempfile.TemporaryDirectory() as name,
        running(SandboxOptions(documents=documents, seed=23)) as hub,
        quiet(),
    ):
        folder = Path(name)
        for operation in operations(folder, hub):
            if only and operation.name != only:
                continue
            began, ended, wrong = time.monotonic(), 0, []
            for killing in killings(folder, operation, moments):
                count += 1
                ended += killing.ended
                if killing.wrong:
                    wrong.append(f"act {killing.act}: {killing.wrong}")
            bad += len(wrong)
            tell(
                f"{operation.name:10} killed {moments - ended:>3} of {moments}, wrong {len(wrong):>2},"
                f" {time.monotonic() - began:.0f} s"
            )
            for line in wrong:
                tell(f"  {line}")
    tell(f"moments: {count}; wrong: {bad}")
    return bad


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("--moments", type=int, default=15, help="of each operation")
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--only", default="", help="one operation")
    given = parser.parse_args()
    raise SystemExit(1 if main(given.moments, given.documents, given.only) else 0)
