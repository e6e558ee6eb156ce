"""A really full disk: commands on a small file system of its own with less and less room, each in its own process.

Needs root and `mkfs.ext4`: blocks of 1 KB are where a mapped file can end a process. Every command must end with a
sentence: no signal, no trace, no fault of ours; after a backup and a restore the archive is whole.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from confere.archive.maintenance.backups import backup_check
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.bench.bits import MONTH, make, quiet
from tests.end_to_end.confere import ENVIRONMENT, command

MEGABYTES = 24
ROOM = (0, 8, 24, 39, 48, 64, 100, 160, 300, 700, 1100, 1400, 1800, 2600, 4000, 9000)  # KB left


def run(documents: int = 300, seed: int = 17) -> None:
    """Print how each command ended at each amount of room."""
    if os.name != "posix" or os.geteuid() or shutil.which("mkfs.ext4") is None:
        print("needs root and mkfs.ext4")
        return
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as folder, running(SandboxOptions(documents=documents, seed=seed)) as hub:
        world = Path(folder) / "world"
        with quiet():
            make(world, hub)
        subprocess.run(
            [*command(world, "backup", str(world.with_name("copy.sqlite3"))), "--json"],
            check=True,
            capture_output=True,
            env=ENVIRONMENT,
        )
        commands = _commands()
        print(f"{'KB left':>10}" + "".join(f"{name:>12}" for name in commands))
        for room in ROOM:
            line = []
            for name, arguments in commands.items():
                with _small_disk(Path(folder)) as disk:
                    outcome, detail = _outcome(disk, world, room, arguments)
                line.append(outcome)
                if outcome not in ("0", "1", "3"):
                    bad.append(f"{name} with {room} KB: {outcome}: {detail}")
            print(f"{room:>10}" + "".join(f"{outcome:>12}" for outcome in line))
    print("exit codes; bad endings:", len(bad), dict(Counter(text.partition(" ")[0] for text in bad)))
    for text in bad:
        print(text)


def _commands() -> dict[str, list[str]]:
    return {
        "list": ["list"],
        "verify": ["verify", "--again"],
        "sync": ["sync", "--full"],
        "reconcile": ["reconcile"],
        "report": ["reconcile", "--report", "DISK/report.xlsx"],
        "export": ["export", "--month", MONTH, "--to", "DISK/packages"],
        "folder": ["export", "--month", MONTH, "--as", "folder", "--to", "DISK/packages"],
        "bag": ["export", "--month", MONTH, "--as", "folder", "--bagit", "--to", "DISK/packages"],
        "backup": ["backup"],
        "restore": ["restore", "--yes", "COPY"],
        "doctor": ["doctor", "--verify"],
    }


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    image, place = folder / "disk.img", folder / "disk"
    place.mkdir(exist_ok=True)
    with image.open("wb") as file:
        file.truncate(MEGABYTES * 1024 * 1024)
    _run("mkfs.ext4", "-q", "-F", "-b", "1024", "-m", "0", "-O", "^has_journal", str(image))
    _run("mount", "-o", "loop", str(image), str(place))
    try:
        yield place
    finally:
        _run("umount", str(place))


def _outcome(disk: Path, world: Path, room: int, arguments: list[str]) -> tuple[str, str]:
    """The exit code, or what was bad about the end."""
    home = disk / "home"
    shutil.copytree(world, home)
    _fill(disk, room)
    copy = str(world.with_name("copy.sqlite3"))
    asked = [argument.replace("DISK", str(disk)).replace("COPY", copy) for argument in arguments]
    done = subprocess.run(
        [*command(home, *asked), "--json"], capture_output=True, encoding="utf-8", env=ENVIRONMENT, check=False
    )
    if done.returncode < 0:
        return f"signal {-done.returncode}", done.stderr[-200:]
    if "Traceback" in done.stderr or "Exception ignored" in done.stderr:
        return "trace", done.stderr[-400:]
    if "fault of Confere" in done.stdout:
        return "fault", done.stdout[:300]
    try:
        json.loads(done.stdout)
    except ValueError:
        return "no JSON", done.stdout[:100] + done.stderr[-200:]
    if arguments[0] in ("backup", "restore"):
        try:
            backup_check.check(home / "archive.sqlite3")
        except Exception as error:
            return "damage", str(error)
    return str(done.returncode), ""


def _fill(disk: Path, room: int) -> None:
    """Leave `room` KB."""
    with (disk / "filler").open("wb") as file:
        left = shutil.disk_usage(disk).free - room * 1024
        while left > 0:
            file.write(bytes(min(left, 65536)))
            file.flush()
            left = shutil.disk_usage(disk).free - room * 1024


def _run(*arguments: str) -> None:
    subprocess.run(arguments, check=True, capture_output=True)
