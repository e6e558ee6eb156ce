"""Sandbox worlds with every month packed, beside what the program of `tests/oracle` reads in the packages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from confere.app.context import Workspace
from confere.app.reconciliation.reconcile import reconcile
from confere.export.months import known_companies, months_of
from confere.export.package.package import export_package
from confere.export.package.request import PackageOptions, PackageRequest
from tests.app import sandboxed
from tests.app.closing import closed_world, closing_world
from tests.desktop.once import made_once
from tests.oracle.papers import Papers, packages, read

WORLDS: Final = ("sandboxed", "closing", "closed")
"""Seeds 23, 5 and 3. The second has gaps and planted anomalies; of the third a month is closed and changed since."""
RECONCILED: Final = ("closing", "closed")
NOTES: Final = Path(__file__).parents[1] / "oracle" / "notes"
COMPANY: Final = "11222333000181"  # of the notes written by hand: taxed by its profit (CRT 3)
SIMPLES: Final = "11444777000161"  # of the Simples Nacional (CRT 1)
MONTH: Final = "2026-10"


@dataclass(frozen=True)
class FiledWorld:
    """`papers` is what the packages hold of all companies and months; tests only read the archive."""

    workspace: Workspace
    papers: Papers

    def months(self) -> Iterator[tuple[str, str]]:
        """Every company with each of its months."""
        with self.workspace.reading() as archive:
            for company in known_companies(archive):
                yield from ((company, month.month) for month in months_of(archive, company))

    def orders(self) -> tuple[bytes, ...]:
        """The orders as the hub wrote them."""
        with self.workspace.reading() as archive, archive.reading() as transaction:
            ids = transaction.column("SELECT content_id FROM sales_order ORDER BY id")
            return tuple(archive.vault.get(transaction, number) for number in ids)


def made(tmp_path_factory: pytest.TempPathFactory, name: str) -> FiledWorld:
    """One of `WORLDS`; made once for all workers."""
    source = {
        "sandboxed": lambda: sandboxed.synced(tmp_path_factory),
        "closing": lambda: closing_world.made(tmp_path_factory).home,
        "closed": lambda: closed_world.made(tmp_path_factory) / "later",
    }[name]()
    folder = made_once(tmp_path_factory, f"filed-{name}", lambda folder: _pack(folder, source, name in RECONCILED))
    return FiledWorld(Workspace.at(folder / "home"), packages(folder / "packages"))


def _pack(folder: Path, source: Path, reconciled: bool) -> None:
    workspace = Workspace.at(shutil.copytree(source, folder / "home"))
    if reconciled:
        reconcile(workspace)
    with workspace.reading() as archive:
        for company in known_companies(archive):
            for month in months_of(archive, company):
                wanted = PackageOptions(month.month, with_not_authentic=True)  # the sums count them too
                export_package(archive, PackageRequest(company, folder / "packages", wanted))


def notes_by_hand() -> list[bytes]:
    """The files of `tests/oracle/notes`, in the order of their names."""
    return [path.read_bytes() for path in sorted(NOTES.glob("*.xml"))]


def papers_by_hand() -> Papers:
    """The same as the independent program reads them."""
    return read(notes_by_hand())
