"""Bits flipped in an archive: after each, six commands, whose answers are held against the undamaged archive's.

Every flip is a copy of one archive with one bit turned; what is not told as damage must be told as it was before.
"""

from __future__ import annotations

import io
import json
import logging
import multiprocessing
import os
import random
import shutil
import sqlite3
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from confere.errors import message
from confere.system.secrets import system_keyring
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.end_to_end.confere import add_account, spoken
from tests.one_command_line import one_command_line

MONTH = "2026-10"
COMMANDS = ("list", "show", "sync", "reconcile", "export", "doctor")
OUTCOMES = ("fine", "named", "damage told", "other error", "wrong value", "fault", "traceback")
BAD = ("other error", "wrong value", "fault", "traceback")
DAMAGE = {"The archive is damaged", "The archive is not as Confere makes it"}
VOLATILE = {"seconds", "free_bytes"}
_SHOWN = 3
_SEED = 17
Answer = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class Flip:
    """One bit of the archive's file. `place` names the table or index whose page it is in."""

    offset: int
    bit: int
    place: str

    def __str__(self) -> str:
        return f"offset {self.offset}, bit {self.bit} ({self.place})"


@dataclass(slots=True)
class World:
    """A data folder to damage copies of, and what its commands answer while it is whole."""

    home: Path
    keys: list[str]
    answers: dict[str, Answer] = field(default_factory=dict)
    volatile: set[str] = field(default_factory=set)


def run(documents: int = 300, flips: int = 300, seed: int = _SEED) -> None:
    """Print the table, each bad outcome with what repeats it, and the wrong values by what they stand in."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, running(SandboxOptions(documents=documents, seed=seed)) as hub:
        home = Path(folder) / "world"
        with quiet():
            make(home, hub)
        chosen = list(chosen_flips(home, flips, seed))
        tasks = [(folder, str(home), chosen[share::2]) for share in range(2)]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            done = [outcome for part in pool.starmap(_share, tasks) for outcome in part]
    counts = Counter((command, outcome) for _, command, outcome, _ in done)
    print(f"{flips} flips, seed {seed}, {documents} documents, {time.monotonic() - started:.0f} s")
    print(f"{'':12}" + "".join(f"{outcome:>13}" for outcome in OUTCOMES))
    for command in COMMANDS:
        print(f"{command:12}" + "".join(f"{counts[command, outcome]:>13}" for outcome in OUTCOMES))
    silent = Counter((flip.place, command) for flip, command, outcome, _ in done if outcome == "wrong value")
    print("wrong values that nothing said, by whose page it is and by command:")
    for (place, command), count in sorted(silent.items()):
        print(f"  {place:24}{command:12}{count:>5}")
    for flip, command, outcome, detail in done:
        if outcome in BAD:
            print(f"{outcome}: {command} after {flip}: {detail}")


def make(home: Path, hub: RunningHub) -> None:
    """An archive with documents, orders, verdicts and findings."""
    add_account(home, "hub", hub.address, hub.token)
    for arguments in (["sync"], ["verify"], ["reconcile"]):
        code, said, _ = spoken(home, *arguments, "--json")
        assert code in (0, 1), said


def learn(home: Path, folder: Path) -> World:
    """What the commands answer on two whole copies; what differs between those two is not compared later."""
    with closing(sqlite3.connect(f"file:{home / 'archive.sqlite3'}?mode=ro", uri=True)) as database:
        keys = [row[0] for row in database.execute("SELECT access_key FROM document WHERE access_key IS NOT NULL")]
    world = World(home, random.Random(_SEED).sample(sorted(set(keys)), _SHOWN))
    first, second = ({name: asked(world, folder, name) for name in _homed(world, folder)} for _ in range(2))
    for name in COMMANDS:
        assert first[name][0] == second[name][0], name
        world.volatile |= set(_differing(first[name][1], second[name][1]))
    world.answers = first
    return world


def outcomes(world: World, folder: Path, flip: Flip) -> Iterator[tuple[str, str, str]]:
    """Each command on a copy of its own with `flip` in it: its name, its outcome and what tells why."""
    for name in _homed(world, folder, flip):
        try:
            answer = asked(world, folder, name)
        except BaseException as error:  # whatever a command lets out is what is looked for
            yield name, "traceback", f"{type(error).__name__}: {error}"
        else:
            yield name, *judged(world, name, answer)


def _homed(world: World, folder: Path, flip: Flip | None = None) -> Iterator[str]:
    """The names of the commands, each over a fresh copy of the world in `folder`/home, damaged where asked."""
    home = folder / "home"
    for name in COMMANDS:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        for path in world.home.iterdir():
            if path.is_file():
                shutil.copy2(path, home)
        if flip is not None:
            archive = home / "archive.sqlite3"
            seen = archive.stat()
            with archive.open("r+b") as file:
                turn(file, flip)
            os.utime(archive, ns=(seen.st_atime_ns, seen.st_mtime_ns))  # a disk that fails does not tell when
        yield name


def turn(file: Any, flip: Flip) -> None:
    """Turn the bit in an open file."""
    file.seek(flip.offset)
    (value,) = file.read(1)
    file.seek(flip.offset)
    file.write(bytes([value ^ (1 << flip.bit)]))


def asked(world: World, folder: Path, name: str) -> Answer:
    """The exit code of one command and what it said, packages and ledgers included."""
    home = folder / "home"
    if name == "show":
        said = [_spoken(home, "show", key) for key in world.keys]
        return max(code for code, _ in said), [told for _, told in said]
    if name == "export":
        code, told = _spoken(home, "export", "--month", MONTH, "--to", str(home / "packages"))
        return code, [told, _packages(home / "packages")]
    return _spoken(home, name, *(["--limit", "1000"] if name == "list" else []))


def _spoken(home: Path, *arguments: str) -> Answer:
    code, said, complaints = spoken(home, *arguments, "--json")
    text = said.decode("utf-8", "replace").replace(str(home), "HOME")
    if "Traceback" in complaints:
        return code, {"error": {"title": "Traceback", "what": complaints.strip().splitlines()[-1]}}
    return code, json.loads(text) if text.strip() else {}


def _packages(folder: Path) -> Any:
    """What is in the packages: names and bytes, of the ledgers their cells."""
    found: dict[str, Any] = {}
    for path in sorted(folder.glob("*.zip")):
        with zipfile.ZipFile(path) as package:
            found[path.name] = {name: _inside(name, package.read(name)) for name in package.namelist()}
    return found


def _inside(name: str, data: bytes) -> Any:
    if not name.endswith(".xlsx"):
        return sha256(data).hexdigest() if not name.endswith(".json") else json.loads(data)
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        return {part: sha256(book.read(part)).hexdigest() for part in book.namelist() if part.startswith("xl/")}


def judged(world: World, name: str, answer: Answer) -> tuple[str, str]:
    """One of `OUTCOMES`, and what shows it."""
    code, told = answer
    text = json.dumps(told, default=str)
    errors = [part["error"] for part in (told if isinstance(told, list) else [told]) if _is_error(part)]
    titles = [error["title"] for error in errors]
    if "Traceback" in titles:
        return "traceback", text[:300]
    if "This is a fault of Confere" in titles:
        return "fault", "; ".join(error["what"] for error in errors)
    if errors:
        is_damage = set(titles) <= DAMAGE
        return ("damage told" if is_damage else "other error"), "; ".join(error["what"] for error in errors)
    known_code, known = world.answers[name]
    differing = list(_differing(known, told))
    changed = [path for path in differing if path not in world.volatile and path.rpartition(".")[2] not in VOLATILE]
    if code == known_code and not changed:
        return "fine", ""
    if code != known_code and code == 1:
        return "named", ", ".join(changed[:5])
    return "wrong value", ", ".join(changed[:5])


def _is_error(part: Any) -> bool:
    return isinstance(part, dict) and set(part) == {"error"}


def _differing(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """The places where two answers are not the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one.keys() | other.keys():
            yield from _differing(one.get(name, _differing), other.get(name, _differing), f"{path}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for left, right in zip(one, other, strict=True):
            yield from _differing(left, right, f"{path}[]")
    elif one != other:
        yield path


def chosen_flips(home: Path, count: int, seed: int) -> Iterator[Flip]:
    """Random bits anywhere in the archive's file; the same for the same seed and file size."""
    chance = random.Random(seed)
    path = home / "archive.sqlite3"
    size = path.stat().st_size
    for _ in range(count):
        offset = chance.randrange(size)
        yield Flip(offset, chance.randrange(8), place_of(path, offset))


def place_of(path: Path, offset: int) -> str:
    return _places(path).get(offset // 8192 + 1, "free")


@cache
def _places(path: Path) -> dict[int, str]:
    """Whose each page is, where this SQLite can tell."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        try:
            return dict(database.execute("SELECT pageno, name FROM dbstat"))
        except sqlite3.OperationalError:
            return {}


def _share(folder: str, home: str, flips: Sequence[Flip]) -> list[tuple[Flip, str, str, str]]:
    """What one process finds out of its share of the flips."""
    with tempfile.TemporaryDirectory(dir=folder) as own, quiet():
        world = learn(Path(home), Path(own))
        return [(flip, *outcome) for flip in flips for outcome in outcomes(world, Path(own), flip)]


@contextmanager
def quiet() -> Iterator[None]:
    """Commands in this process: in English, made once, without a keyring or a log on the screen."""

    def none() -> None:
        raise system_keyring.KeyringUnusable(message("This system has no keyring that Confere can reach."))

    before, really = os.environ.get("CONFERE_LANGUAGE"), system_keyring._backend
    silent = logging.NullHandler()
    os.environ["CONFERE_LANGUAGE"] = "en"
    logging.getLogger().addHandler(silent)
    system_keyring._backend = none  # type: ignore[assignment]
    try:
        with one_command_line():
            yield
    finally:
        system_keyring._backend = really
        logging.getLogger().removeHandler(silent)
        if before is None:
            del os.environ["CONFERE_LANGUAGE"]
        else:
            os.environ["CONFERE_LANGUAGE"] = before
