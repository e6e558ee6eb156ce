"""What a document, a hub or a file may try against the machine: each attempt as a case that anyone can run again.

A case gets a folder: its data folder is `home` in it, what it may write besides lies in `out`, and `outside` is where
the hostile names lead. Nothing else may change.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from tests.archive.papers import EMITTER, cancellation, key, note
from tests.hostile import answers, files
from tests.hostile.running import Ended, all_of, confere, process

Run = Callable[[Path], Ended]
_MOST_SECONDS_OF_TESTS = 400.0
_MAY_CHANGE = ("home", "out", "work", "tmp")  # `work` is the current folder: what has no other place lies there


@dataclass(frozen=True)
class Case:
    """A line of what was found wrong once, and one attempt at it. `is_slow`: it has minutes, or tests of its own."""

    line: str
    name: str
    run: Run
    is_slow: bool = False


def run_in(case: Case, folder: Path) -> Ended:
    """Run a case in a folder of its own; what it wrote elsewhere than it may is what is wrong with it."""
    for name in ("home", "out", "outside", "work", "in", "tmp"):
        (folder / name).mkdir(mode=0o700)
    before = _tree(folder)
    ended = case.run(folder)
    elsewhere = sorted(_tree(folder) ^ before)
    if case.is_slow:
        ended = replace(ended, most_seconds=_MOST_SECONDS_OF_TESTS)
    if elsewhere:
        ended = replace(ended, wrong=f"wrote {elsewhere[0]}")
    return replace(ended, name=case.name)


def _tree(folder: Path) -> set[str]:
    found = set()
    for root, folders, names in os.walk(folder):
        if Path(root) == folder:
            folders[:] = [name for name in folders if name not in (*_MAY_CHANGE, "in")]
        found |= {str(Path(root, name).relative_to(folder)) for name in (*folders, *names)}
    return found


def _command(folder: Path, *arguments: str, is_json: bool = True) -> Ended:
    return confere(
        "",
        folder / "home",
        *arguments,
        is_json=is_json,
        folder=folder / "work",
        HOME=str(folder / "outside"),
        TMPDIR=str(folder / "tmp"),
        CONFERE_TOKEN="t0ken",
    )


def _imported(folder: Path, **papers: bytes) -> Ended:
    for name, data in papers.items():
        (folder / "in" / f"{name}.xml").write_bytes(data)
    return _command(folder, "import", str(folder / "in"))


# -- names that are paths --------------------------------------------------------------------------------


def _named(paper: bytes, number: int, name: str) -> bytes:
    return paper.replace(key(number).encode(), name.encode())


def _key_to_pdf(make: Callable[[Path], str]) -> Run:
    def run(folder: Path) -> Ended:
        first = _imported(folder, paper=_named(note(1), 1, make(folder)))
        printed = [
            _command(folder, "pdf", "1", *arguments)
            for arguments in ((), ("--output", str(folder / "out")), ("--output", str(folder / "out" / "new")))
        ]
        shown = _command(folder, "show", "1", is_json=False)
        return all_of("", first, *printed, shown)

    return run


def _key_to_package(template: str) -> Run:
    def run(folder: Path) -> Ended:
        target = str(folder / "outside" / "x")
        first = _imported(folder, a=_named(note(1), 1, target), b=_named(note(2), 2, "../../outside/x"), c=note(3))
        packed = _command(
            folder, "export", "--company", EMITTER, "--month", "2026-10", "--to", str(folder / "out"),
            "--name-template", template,
        )  # fmt: skip
        return all_of("", first, packed)

    return run


def _event_code(folder: Path) -> Ended:
    event = cancellation(1).replace(b"<tpEvento>110111</tpEvento>", b"<tpEvento>../../../outside/y</tpEvento>")
    first = _imported(folder, note=note(1), event=event)
    return all_of("", first, _command(folder, "pdf", "1", "--output", str(folder / "out")))


def _account(folder: Path) -> Ended:
    added = _command(
        folder, "account", "add", "../../outside/x", "--address", "http://127.0.0.1:9/v2", "--platform", "x",
        "--environment", "sandbox",
    )  # fmt: skip
    return all_of("", added, _command(folder, "account", "list"))


def _period(folder: Path) -> Ended:
    return _command(folder, "export", "--company", EMITTER, "--month", "../../x", "--to", str(folder / "out"))


# -- texts that act --------------------------------------------------------------------------------------

ACTING = "a\x9b31mb\u202ec &#10;R$ 1,00 <img src='file:///etc/passwd'>"


def _texts(folder: Path) -> Ended:
    first = _imported(folder, paper=note(1, item="Caneca"))
    with closing(sqlite3.connect(folder / "home" / "archive.sqlite3")) as database, database:
        for table, column in (("taxpayer", "name"), ("item", "description"), ("document", "nature")):
            database.execute(f"UPDATE {table} SET {column} = ?", (ACTING + "\x1b]0;x\x07\n  1 invented line",))
    shown = [
        _command(folder, *arguments, is_json=False)
        for arguments in (("list", "--all"), ("show", "1"), ("relations", "1"), ("list", "--all", "--json"))
    ]
    return all_of("", first, *shown)


# -- files that are too much -----------------------------------------------------------------------------


def _items(make: Callable[[], bytes]) -> Run:
    def run(folder: Path) -> Ended:
        first = _imported(folder, items=make(), good=note(1))
        wanted = [("show", key(7)), ("relations", key(7)), ("verify", key(7)), ("verify",), ("list", "--unreadable")]
        shown = [_command(folder, *arguments) for arguments in wanted]
        printed = _command(folder, "pdf", key(7), "--output", str(folder / "out"))
        return all_of("", first, *shown, printed)

    return run


def _written(name: str, make: Callable[[], bytes]) -> Run:
    def run(folder: Path) -> Ended:
        path = folder / "in" / name
        path.write_bytes(make())
        return _command(folder, "import", str(path))

    return run


def _folder(fill: Callable[[Path], None]) -> Run:
    def run(folder: Path) -> Ended:
        (folder / "in" / "good.xml").write_bytes(note(1))
        under = folder / "in" / "under"
        under.mkdir()
        (under / "good.xml").write_bytes(note(2))
        fill(under)
        ended = _command(folder, "import", str(under))
        files.remove(under)
        return ended

    return run


def _workbook(name: str) -> Run:
    def run(folder: Path) -> Ended:
        path = folder / "in" / "orders.xlsx"
        path.write_bytes(files.ORDERS[name](1_000_000))
        with answers.serving(answers.honest) as address:
            _command(
                folder, "account", "add", "x", "--address", address, "--platform", "x", "--environment", "sandbox",
            )  # fmt: skip
            return _command(folder, "orders", "import", str(path))

    return run


def _closed_folder(folder: Path) -> Ended:
    _imported(folder, paper=note(1))
    closed = folder / "out" / "file"
    closed.write_bytes(b"")  # a folder cannot be made there, whoever runs this
    return _command(folder, "export", "--company", EMITTER, "--month", "2026-10", "--to", str(closed / "x.zip"))


def _damaged_verdicts(folder: Path) -> Ended:
    first = _imported(folder, **{f"n{number}": note(number) for number in range(1, 40)})
    judged = _command(folder, "verify")
    with closing(sqlite3.connect(folder / "home" / "archive.sqlite3")) as database, database:
        (table,) = database.execute("SELECT name FROM sqlite_master WHERE name = 'verdict'").fetchone()
        database.execute(f"UPDATE {table} SET lines = 'zzz' WHERE content_id = 20")
    told = _command(folder, "verify")
    told.json  # noqa: B018 - one valid object, or this raises
    return all_of("", first, judged, told)


def _emptied(folder: Path) -> Ended:
    _imported(folder, paper=note(1))
    (folder / "home" / "archive.sqlite3").write_bytes(b"")
    ended = _command(folder, "import", str(folder / "in"))
    return ended if ended.code == 3 else replace(ended, wrong="begun anew")


# -- what has tests of its own ---------------------------------------------------------------------------


def _tested(*nodes: str) -> Run:
    def run(folder: Path) -> Ended:
        given = ["-q", "-p", "no:cacheprovider", "--basetemp", str(folder / "tmp" / "pytest"), *nodes]
        return process("", "tests.hostile.tested", given, folder / "tmp" / "peak", is_json=False)

    return run


_TESTED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "paths",
        "random names, POSIX and Windows",
        ("tests/system/files/test_safe_names.py", "tests/cli/test_hostile_names.py"),
    ),
    ("rich text", "every role, label and page of the window", ("tests/desktop/widgets/test_plain_text.py",)),
    ("complete", "four cut lists and a swapped file", ("tests/desktop/test_cut_lists.py",)),
    (
        "complete",
        "one wrong Date, old lists",
        ("tests/intake/test_claims.py", "tests/cli/commands/reconciliation/test_standing.py"),
    ),
    ("poison", "one file of 38 that kills", ("tests/hostile/test_poison.py",)),
    ("backups", "a clock that ran ahead", ("tests/archive/maintenance/backups/test_backup.py",)),
    ("backups", "an archive of no bytes", ("tests/cli/test_emptied.py",)),
    ("rights", "every command in a folder of 0755", ("tests/cli/test_rights.py",)),
    ("protocols", "number, state and year", ("tests/fiscal/authenticity/test_judge.py",)),
    ("personal data", "erased from orders and backups", ("tests/cli/commands/orders/test_person.py",)),
    ("sandbox", "other hosts, odd clocks", ("tests/sandbox_hub/web/test_host_check.py",)),
)


def cases() -> Iterator[Case]:
    """Every case, the quick ones first."""
    names: dict[str, Callable[[Path], str]] = {
        "an absolute path": lambda folder: f"{folder}/outside/x",
        "../../…": lambda _: "../../../../outside/x",
        "..\\..\\…": lambda _: "..\\..\\outside\\x",
        "a drive and a stream": lambda _: "C:\\outside\\x:y",
        "a share": lambda _: "\\\\server\\share\\x",
        "a device": lambda _: "NUL",
        "400 letters": lambda _: "x" * 400,
        "bidi marks": lambda _: "&#x202E;fdp.x",
    }
    for name, make in names.items():
        yield Case("paths", f"a key that is {name}: pdf", _key_to_pdf(make))
    for template in ("{key}.xml", "{key}/{ending}.xml"):
        yield Case("paths", f"keys that are paths: export {template}", _key_to_package(template))
    yield Case("paths", "an event code that is a path: pdf", _event_code)
    yield Case("paths", "an account that is a path", _account)
    yield Case("paths", "a period that is a path", _period)
    yield Case("terminal", "controls, lines and bidi in names", _texts)
    yield Case("files", "a note of 3 million items", _items(lambda: _note_of(b"<det/>", 3_000_000)))
    yield Case("files", "a note of 480,000 items", _items(lambda: _note_of(b"<det/>", 480_000)))
    yield Case("files", "a note of 5000 items", _items(lambda: _note_of(b"<det><prod/></det>", 5000)))
    yield Case("files", "a ZIP of 1 MB that overlaps", _written("a.zip", lambda: files.ZIPS[_OVERLAP](1_000_000)))
    for name, fill in files.FOLDERS.items():
        yield Case("files", f"a folder: {name}", _folder(fill))
    for name in files.ORDERS:
        if "shared text " in name:
            yield Case("files", name, _workbook(name))
    if sys.platform != "win32":
        yield Case("files", "a device that is named", lambda folder: _command(folder, "import", "/dev/zero"))
    yield Case("files", "an export where nothing can be written", _closed_folder)
    yield Case("files", "verify --json over damaged verdicts", _damaged_verdicts)
    yield Case("backups", "an archive cut to no bytes", _emptied)
    for line, name, nodes in _TESTED:
        yield Case(line, name, _tested(*nodes), is_slow=True)


_OVERLAP = "ZIP of members that overlap"


def _note_of(item: bytes, count: int) -> bytes:
    paper = note(7)
    start, end = paper.index(b"<det "), paper.rindex(b"</det>") + len(b"</det>")
    return paper[:start] + item * count + paper[end:]
