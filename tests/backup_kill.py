"""Kills `confere backup` and `confere restore` at many moments: nothing half stands under a final name afterwards.

`python -m tests.backup_kill` kills each at 20 moments: half of them just before the process makes, links, renames or
removes a file, the others after a share of the time that it takes. A line for each says what was found.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.app.context import Workspace
from confere.archive.maintenance.backups import backup_check
from tests.app.made import workspace_at
from tests.archive.papers import note, store
from tests.end_to_end.confere import ENVIRONMENT

EVENTS: Final = ("os.link", "os.rename", "os.remove", "os.mkdir", "sqlite3.connect", "open")
# Counts what the process does to files, and ends it as SIGKILL does just before one of them.
_HOOK: Final = """
import os, signal, sys
at, seen = sys.argv[1], 0
def hook(event, arguments):
    global seen
    if event not in {events!r} or event == "open" and not (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR):
        return
    seen += 1
    if at in (str(seen), event):
        os.kill(os.getpid(), 9)
sys.addaudithook(hook)
from confere.cli.main import run
code = run(sys.argv[2:])
sys.stderr.write(f"events {{seen}}\\n")
raise SystemExit(code)
"""


@dataclass(frozen=True, slots=True)
class Killing:
    """A moment, and what was wrong after it; empty where all was well."""

    command: str
    moment: str
    ended: bool  # before it could be killed
    wrong: tuple[str, ...]


class Scene:
    """A data folder with an archive of `more` notes, and a backup of it with fewer."""

    def __init__(self, folder: Path, more: int = 40) -> None:
        self.folder = folder
        self.fresh = folder / "fresh"
        workspace = workspace_at(self.fresh)
        self.backup = folder / "backup.sqlite3"
        assert self.run(self.fresh, "backup", str(self.backup)).returncode == 0
        with workspace.writing("test") as archive:
            store(archive, *(note(number) for number in range(10, 10 + more)))
        self.before = documents(self.fresh / "archive.sqlite3")
        self.after = documents(self.backup)
        assert self.before != self.after

    def home(self) -> Path:
        """A copy of the data folder, to be killed in."""
        target = Path(tempfile.mkdtemp(dir=self.folder)) / "home"
        shutil.copytree(self.fresh, target)
        return target

    def run(self, home: Path, *arguments: str, kill_at: str = "") -> subprocess.CompletedProcess[str]:
        """A command in a process of its own, killed before an act on files: the n-th, or the first of that name."""
        return subprocess.run(
            _command(home, arguments, kill_at),
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
            check=False,
            timeout=300,
        )

    def arguments(self, command: str) -> tuple[str, ...]:
        return ("backup",) if command == "backup" else ("restore", "--yes", str(self.backup))

    def acts(self, command: str) -> int:
        """How many acts on files the command makes when nobody kills it."""
        home = self.home()
        done = self.run(home, *self.arguments(command))
        assert done.returncode == 0, done.stderr
        return int(done.stderr.rpartition("events ")[2])

    def killed_before(self, command: str, act: str, *, again: bool = True) -> Killing:
        """Kill it before an act, and look at what is there; with `again` whether a restore goes on from there."""
        home = self.home()
        done = self.run(home, *self.arguments(command), kill_at=act)
        return Killing(command, f"act {act}", done.returncode == 0, tuple(self.wrong(home, again=again)))

    def killed_after(self, command: str, seconds: float) -> Killing:
        """Kill it when so much time went by, and look at what is there."""
        home = self.home()
        process = subprocess.Popen(
            _command(home, self.arguments(command), ""),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        ended = process.poll() is not None
        process.kill()
        process.wait()
        return Killing(command, f"{seconds:.2f} s", ended, tuple(self.wrong(home)))

    def wrong(self, home: Path, *, again: bool = True) -> list[str]:
        """What is not as it must be after a kill, in words."""
        found = []
        archive = home / "archive.sqlite3"
        kept = sorted(home.glob("archive-before-restore-*.sqlite3"))
        final = [archive, *kept, *home.joinpath("backups").glob("archive-*.sqlite3"), *home.glob("backups/*.age")]
        for path in final:
            try:
                backup_check.check(path)
            except Exception as error:
                found.append(f"{path.name}: {error}")
        if found:
            return found
        now = documents(archive)
        if now not in (self.before, self.after):
            found.append("the archive is neither the old nor the new one")
        if now == self.after and [documents(path) for path in kept] != [self.before]:
            found.append("the old archive is not beside the new one")
        with Workspace.at(home).writing("test"):  # what a kill left does not hinder the next writer
            pass
        if now == self.before and list(home.glob("archive-before-restore-*.sqlite3")):
            found.append("the archive has a second name")
        if not again:
            return found
        done = self.run(home, "restore", "--yes", str(self.backup))
        if done.returncode or documents(archive) != self.after:
            found.append(f"it cannot be restored afterwards: {done.stderr}")
        if left := [path.name for path in home.glob("archive-restore-*")]:
            found.append(f"left behind: {left}")
        return found


def documents(path: Path) -> tuple[str, ...]:
    """The keys in an archive."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return tuple(key for (key,) in connection.execute("SELECT access_key FROM document ORDER BY 1"))


def _command(home: Path, arguments: Sequence[str], kill_at: str) -> list[str]:
    return [sys.executable, "-c", _HOOK.format(events=EVENTS), kill_at, "--home", str(home), *arguments]


def main(moments: int, tell: Callable[[str], None] = print) -> int:
    """Kill both at so many moments; how many went wrong."""
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder), more=400)
        for command in ("backup", "restore"):
            began = time.monotonic()
            acts = scene.acts(command)
            seconds = time.monotonic() - began
            by_act = moments - moments // 2
            # The last acts are those that give files their names.
            chosen = sorted({max(1, acts - 2 * step) for step in range(by_act)})
            for killing in (
                *(scene.killed_before(command, str(act)) for act in chosen),
                *(scene.killed_after(command, seconds * (part + 0.5) / (moments // 2)) for part in range(moments // 2)),
            ):
                bad += bool(killing.wrong)
                how = "ended before" if killing.ended else "killed"
                tell(f"{command:8} {killing.moment:>10} {how:12} {'; '.join(killing.wrong) or 'well'}")
    tell(f"moments: {2 * moments}; wrong: {bad}")
    return bad


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=20)
    raise SystemExit(1 if main(parser.parse_args().moments) else 0)
