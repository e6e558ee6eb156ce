"""Kill -9 during an export, at many moments: `python -m tests.export_kill [--moments 20] [--documents 2000]`.

After each kill there is no half file under a final name and the archive is whole; the next export gives the very
bytes of an undisturbed one, and into a folder it goes on where the killed one stopped.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from confere.app.context import Workspace
from confere.archive.accounts import runs
from tests.end_to_end.confere import ENVIRONMENT, command, confere
from tests.export.made import COMPANY, MONTH, event, key, note, store

FORMS = (("--as", "zip"), ("--as", "folder"), ("--as", "folder", "--bagit"))


def make(home: Path, documents: int) -> None:
    """An archive of so many notes, and an event for every tenth."""
    with Workspace.at(home).writing("test") as archive:
        with archive.writing() as transaction:
            runs.start(transaction, "import", None, {})  # the first one: `store` says that it brought the files
        for start in range(1, documents + 1, 500):
            numbers = range(start, min(start + 500, documents + 1))
            store(archive, *(note(number, words=str(number) * 300) for number in numbers))
            store(archive, *(event(key(number)) for number in numbers if number % 10 == 0))


def files(out: Path) -> dict[str, bytes]:
    """Everything there but drafts, by path; one called `.confere-….tmp` goes when it is an hour old."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and not path.name.endswith((".partial", ".tmp"))
    }


def export(home: Path, out: Path, form: Sequence[str]) -> None:
    """An export that nobody disturbs."""
    done = confere(home, "export", "--period", MONTH, "--company", COMPANY, "--to", str(out), *form)
    if done.code != 0:
        raise AssertionError(done)


def killed(home: Path, out: Path, form: Sequence[str], share: float, whole: int) -> bool:
    """Kill an export once so much of `whole` bytes is on the disk; False where it was done before."""
    arguments = ["export", "--period", MONTH, "--company", COMPANY, "--to", str(out), *form, "--json"]
    with subprocess.Popen(
        command(home, *arguments),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT,
    ) as process:  # fmt: skip
        while process.poll() is None and _written(out) < share * whole:
            time.sleep(0.002)
        if process.poll() is not None:
            return False
        process.kill()
    return True


def check(home: Path, place: Path, form: Sequence[str], shares: Iterable[float]) -> int:
    """Kill at each share of the work; how many were killed in time. `AssertionError` says what was wrong after one."""
    calm = place / "calm"
    export(home, calm, form)
    expected = files(calm)
    whole = sum(map(len, expected.values()))
    count = 0
    for number, share in enumerate(shares):
        out = place / f"rough-{number}"
        count += killed(home, out, form, share, whole)
        left = files(out)
        for name, data in left.items():
            if not name.endswith(("bag-info.txt", "manifest-sha256.txt")):  # of a bag, which is whole with its manifest
                assert data == expected[name], f"{name} is half at {share}"
        stamps = {name: (out / name).stat().st_mtime_ns for name in left if name.endswith(".xml")}
        export(home, out, form)
        assert files(out) == expected, f"another package after a kill at {share}"
        assert not list(out.rglob("*.partial")), f"leftovers after a kill at {share}"
        assert all((out / name).stat().st_mtime_ns == seen for name, seen in stamps.items()), "written again"
    assert confere(home, "doctor", "--verify").code == 0
    return count


def _written(out: Path) -> int:
    total = 0
    for path in out.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:  # it got its name meanwhile
            continue
    return total


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.export_kill", description=__doc__)
    parser.add_argument("--moments", type=int, default=20)
    parser.add_argument("--documents", type=int, default=2000)
    given = parser.parse_args()
    os.environ["CONFERE_LANGUAGE"] = "en"  # the ledger's words are the same here and in the killed process
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        make(home, given.documents)
        for form in FORMS:
            shares = [number / given.moments for number in range(given.moments)]
            place = Path(folder) / "-".join(form).strip("-")
            count = check(home, place, form, shares)
            print(f"{' '.join(form)}: killed {count} of {given.moments} times in time; every package the same after it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
