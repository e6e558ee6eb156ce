"""Lays a link, a pipe, a folder or a giant in the place of every name of the data folder, and runs commands on it.

`python -m tests.odd_names` runs all commands below on all of them, each in a process of its own with ten seconds, and
prints a line for each that hung, said nothing of it, or touched what lay outside the data folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from confere.cli.main import run
from confere.system.data_folder import ENTRIES
from tests.cli.running import ENVIRONMENT

GIANT: Final = 20 * 1024**3
SECONDS: Final = float(os.environ.get("ODD_SECONDS", "10"))  # a machine with other work needs more
GROWING: Final = tuple(name for name, entry in ENTRIES.items() if not entry.is_folder and entry.most is None)
"""What grows with the archive: no size is too large for it, and SQLite says itself what is none of its own."""

TOLD: Final = tuple(name for name, entry in ENTRIES.items() if entry.is_told)
"""What a command goes on without where a folder is in its place."""

COMMANDS: Final = (
    ("list",), ("doctor",), ("doctor", "--verify"), ("doctor", "--repair"), ("sync",), ("reconcile",),
    ("import", "{file}"), ("backup",), ("backup", "--status"), ("export", "2026-03"), ("accounts",), ("settings",),
    ("settings", "hub_rate", "5"), ("home",), ("verify",), ("reindex",), ("orders", "list"), ("trust",), ("log",),
)  # fmt: skip


class Kind(StrEnum):
    """What lies in the place of a file or folder of ours."""

    LINK = "link"
    DANGLING = "dangling link"
    PIPE = "pipe"
    OTHER = "folder for a file, or file for a folder"
    GIANT = "giant"


def lay(home: Path, name: str, kind: Kind, foreign: Path) -> Path:
    """Put it into the place of `name`; what a link leads to is in `foreign`, made as another program's."""
    path, is_folder = home / name, ENTRIES[name].is_folder
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    match kind:
        case Kind.LINK:
            path.symlink_to(a_stranger(foreign, is_folder=is_folder))
        case Kind.DANGLING:
            path.symlink_to(foreign / "not there")
        case Kind.PIPE:
            os.mkfifo(path)
        case Kind.OTHER:
            path.write_bytes(b"a file") if is_folder else path.mkdir()
        case Kind.GIANT:
            with path.open("wb") as file:
                file.truncate(GIANT)
    return path


def a_stranger(foreign: Path, *, is_folder: bool) -> Path:
    """A file of somebody else, or a folder with files that are called like ours."""
    foreign.mkdir(exist_ok=True)
    if not is_folder:
        (foreign / "file").write_bytes(b"[scope]\ncompany=11222333000181\n")
        return foreign / "file"
    folder = foreign / "folder"
    folder.mkdir(exist_ok=True)
    for number in range(30):
        (folder / f"confere-20200101T0000{number:02}-1.log").write_bytes(b"somebody's")
    for name in (
        "window.running",
        "window.fault",
        "archive-copy-20200101T000000000000Z.sqlite3",
        "1.pt_BR.json",
        "a.pem",
    ):
        (folder / name).write_bytes(b"somebody's")
    return folder


def seen(folder: Path) -> dict[str, object]:
    """All that is in a folder, with content, mode and time."""
    return {
        str(path): (path.lstat().st_mode, path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else None)
        for path in sorted(folder.rglob("*"))
    }


def cases() -> Iterator[tuple[str, Kind]]:
    """Every name of ours with everything that can lie in its place."""
    for name in ENTRIES:
        for kind in Kind:
            yield name, kind


def ran(arguments: Sequence[str], output: Path) -> int | None:
    """Run a command line in a forked process, its output in a file: its exit code; None where it had to be killed."""
    process = os.fork()
    if not process:
        descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for standard in (1, 2):
            os.dup2(descriptor, standard)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        code = 70
        with contextlib.suppress(BaseException):
            code = run(arguments)
        sys.stdout.flush()
        os._exit(code)
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return None


def refuses(name: str, kind: Kind) -> bool:
    """Whether every command has to say what is there and end with 3."""
    return not ((kind is Kind.GIANT and name in GROWING) or (kind is Kind.OTHER and name in TOLD))


def wrong(home: Path, name: str, kind: Kind, code: int | None, output: str) -> str:
    """What is wrong with how a command ended; empty where nothing is."""
    if code is None:
        return "hung"
    if "Traceback" in output or "fault of Confere" in output or code not in (0, 1, 2, 3):
        return f"exit {code}: {output[-300:]}"
    if refuses(name, kind) and code != 3 and str(home / name) not in output:
        return f"exit {code}, nothing said: {output[-200:]}"
    return ""


def main() -> int:
    """Run everything; how many were wrong."""
    from tests.app.made import workspace_at

    os.environ |= ENVIRONMENT | {"COLUMNS": "1000"}
    bad = 0
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as kept:
        fresh, file, output = Path(kept) / "fresh", Path(kept) / "note.xml", Path(kept) / "output"
        workspace_at(fresh)
        file.write_bytes(b"<a/>")
        for name, kind in cases():
            for command in COMMANDS:
                if wanted and f"{name}={kind.name}" not in wanted and name not in wanted and kind.name not in wanted:
                    continue
                home, foreign = Path(kept) / "home", Path(kept) / "foreign"
                shutil.copytree(fresh, home)
                lay(home, name, kind, foreign)
                before = seen(foreign)
                code = ran([*(word.format(file=file) for word in command), f"--home={home}"], output)
                problem = wrong(home, name, kind, code, output.read_text(errors="replace"))
                if seen(foreign) != before:
                    problem += " FOREIGN TOUCHED"
                if problem:
                    bad += 1
                    print(f"{name} as {kind.value}: {' '.join(command)}: {problem}", flush=True)
                shutil.rmtree(home)
                shutil.rmtree(foreign, ignore_errors=True)
        print(f"{len(list(cases())) * len(COMMANDS)} commands, {bad} wrong")
    return bad


if __name__ == "__main__":
    sys.exit(min(main(), 1))
