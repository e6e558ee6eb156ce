"""A worker of a package starts light, and what its bare view cannot read is read by the archive, in its own words."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.errors import ArchiveCorrupt
from confere.export.package.output import package_worker
from confere.export.package.output.package_worker import prepare
from confere.system.processes.worker_pool import Bulk
from tests.export.made import note, store

HEAVY = ("sqlalchemy", "confere.archive.store", "confere.archive.schema", "lxml", "PySide6")


@pytest.fixture
def three(archive: Archive) -> Archive:
    store(archive, *(note(number) for number in range(1, 4)))
    return archive


def answer_of(archive: Archive, *, bare: bool, deflated: bool = True) -> Bulk:
    answer = prepare(archive.path, deflated, bare)((3, 1, 2))
    assert isinstance(answer, Bulk)
    return answer


def test_it_loads_nothing_that_takes_long() -> None:
    code = f"import sys, {package_worker.__name__}; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("deflated", [True, False])
def test_both_views_give_the_same_files_in_the_order_asked_for(three: Archive, deflated: bool) -> None:
    answer = answer_of(three, bare=True, deflated=deflated)
    assert answer == answer_of(three, bare=False, deflated=deflated)
    files = package_worker.files_of(answer)
    assert [file.size for file in files] == [len(three.content(number)) for number in (3, 1, 2)]
    if not deflated:
        assert [file.data for file in files] == [three.content(number) for number in (3, 1, 2)]


def test_where_the_bare_view_fails_the_archive_reads(three: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = []

    def failing(path: Path) -> None:
        failed.append(path)
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(package_worker, "BareView", failing)
    assert answer_of(three, bare=True) == answer_of(three, bare=False)
    assert failed == [three.path]


@pytest.mark.parametrize("bare", [True, False])
def test_damage_is_told_in_the_words_of_the_archive(three: Archive, bare: bool) -> None:
    with three.writing() as transaction:
        transaction.execute("UPDATE content SET payload = 7 WHERE id = 2")
    with pytest.raises(ArchiveCorrupt):
        answer_of(three, bare=bare)
    with three.writing() as transaction:
        transaction.execute("DELETE FROM content WHERE id = 1")
    with pytest.raises(ArchiveCorrupt, match="content 1"):
        answer_of(three, bare=bare)
