"""Hostile answers and files, each given to the program in a process of its own: time, memory, and how it ends."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tests.archive.papers import note
from tests.hostile import answers, files
from tests.hostile.running import MOST_MEMORY, MOST_SECONDS, Ended, confere

SIZE = 60_000_000
_READABLE = 30_000_000  # of an XML that is not refused for its bytes alone
_TEXT = 20_000_000  # of a list of orders that is not
_TAKEN = 14_000_000  # of an answer that is not
_MOST_SECONDS_OF_WAITING = 330.0  # for a hub that makes one wait: the tries of one request end after 300
_AT_ONCE = 2


def _imported(name: str, prepare: Callable[[Path], Path]) -> Callable[[], Ended]:
    def run() -> Ended:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder, "home")
            home.mkdir()
            given = prepare(Path(folder))
            ended = confere(name, home, "import", str(given))
            if given.is_dir():
                files.remove(given)
            return ended

    return run


def _file(suffix: str, make: files.Make, size: int = SIZE) -> Callable[[Path], Path]:
    def prepare(folder: Path) -> Path:
        path = folder / f"hostile{suffix}"
        path.write_bytes(make(size))
        return path

    return prepare


def _folder(fill: Callable[[Path], None]) -> Callable[[Path], Path]:
    def prepare(folder: Path) -> Path:
        inside = folder / "in"
        inside.mkdir()
        (inside / "good.xml").write_bytes(note(1))
        fill(inside)
        return inside

    return prepare


def _orders(name: str, make: files.Make, size: int = SIZE) -> Callable[[], Ended]:
    def run() -> Ended:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(make(size))
            home = Path(folder, "home")
            home.mkdir()
            with answers.serving(answers.honest) as address:
                _add(home, address)
                return confere(name, home, "orders", "import", str(path))

    return run


def _add(home: Path, address: str) -> None:
    token = home / "token"
    token.touch(0o600)
    token.write_text("t0ken", encoding="ascii")
    done = confere(
        "", home, "account", "add", "hostile", "--address", address, "--platform", "x", "--environment", "sandbox",
        "--token-file", str(token),
    )  # fmt: skip
    assert done.code == 0, done


def _synced(
    name: str, build: answers.Build, size: int = SIZE, *, waits: bool = False, signal_after: float | None = None
) -> Callable[[], Ended]:
    def run() -> Ended:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            home = Path(folder)
            address = stack.enter_context(answers.serving(build(size)))
            _add(home, address)
            ended = confere(name, home, "sync", signal_after=signal_after)
            most = _MOST_SECONDS_OF_WAITING if waits else MOST_SECONDS
            return replace(ended, most_seconds=most, is_signalled=signal_after is not None)

    return run


def cases() -> Iterator[Callable[[], Ended]]:
    """Each case as a function that runs it."""
    for name, build in answers.SLOW.items():
        yield _synced(name, build, waits=True)
        yield _synced(f"{name}, and SIGTERM", build, signal_after=6.0)
    for name, build in answers.ANSWERS.items():
        yield _synced(name, build)
        yield _synced(f"14 MB: {name}", build, _TAKEN)
    for name, make in files.XML.items():
        yield _imported(f"XML: {name}", _file(".xml", make))
        yield _imported(f"XML of 30 MB: {name}", _file(".xml", make, _READABLE))
    for name, make in files.ZIPS.items():
        yield _imported(name, _file(".zip", make))
    for name, fill in files.FOLDERS.items():
        yield _imported(f"folder: {name}", _folder(fill))
    if sys.platform != "win32":
        for device in ("/dev/zero", "/dev/tty", "/dev/stdin"):
            yield _imported(f"device {device}", lambda _, device=device: Path(device))
    for name, make in files.ORDERS.items():
        yield _orders(name, make)
        yield _orders(f"20 MB {name}", make, _TEXT)


def run(only: str = "") -> None:
    """All cases, or those that have `only` in their name, as a table; those that went beyond a bound are marked."""
    print(f"{'':2}{'case':<44}{'s':>7}{'MB':>6}{'exit':>5}  sentence")
    bad = 0
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        chosen = [case for case in cases() if only in _name_of(case)]
        for ended in pool.map(lambda case: case(), chosen):
            bad += not ended.is_well
            print(
                f"{'' if ended.is_well else '!':2}{ended.name:<44}{ended.seconds:>7.1f}{ended.peak / 1e6:>6.0f}"
                f"{ended.code if ended.code is not None else '-':>5}  {ended.sentence[:110]}",
                flush=True,
            )
    print(f"{len(chosen)} cases, {bad} beyond {MOST_SECONDS:.0f} s or {MOST_MEMORY // 1_000_000} MB or without a word")


def _name_of(case: Callable[[], Ended]) -> str:
    closure = case.__closure__ or ()
    return " ".join(cell.cell_contents for cell in closure if isinstance(cell.cell_contents, str))
