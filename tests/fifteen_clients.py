"""An office with many clients: an account and notes for each, some late, lacking, disagreeing, closed or exported.

Month after month they have what `CONDITIONS` plants, client by client, so that a test knows who is worst.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from confere.app.context import Workspace
from confere.archive.accounts import accounts, runs
from confere.archive.accounts.accounts import Account, Establishment
from confere.archive.clock import utc_text
from confere.archive.closing import closings
from confere.archive.documents import recorder
from confere.archive.hub import coverage
from confere.archive.reconciliation import findings, links
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault.vault import Blob, digest_of
from confere.fiscal.periods import BRASILIA
from confere.fiscal.reading.document import read
from confere.sales.closings import ClosingKind
from confere.sales.findings import Severity
from confere.sales.links import Linked
from tests.app.business import a_finding
from tests.app.made import named_by_hub
from tests.archive.papers import key, note, store
from tests.desktop.once import made_once

NOW: Final = datetime(2026, 11, 10, 9, 0, tzinfo=BRASILIA)
MONTH: Final = "2026-10"
MONTHS: Final = tuple(f"2026-{number:02d}" for number in range(1, 11))
NAMES: Final = (
    "Padaria São João", "Calçados Ávila", "Mercado Estrela", "Ótica Visão", "Livraria Álvares", "Brinquedos Zé",
    "Moda Íris", "Farmácia Saúde", "Móveis Araçá", "Ferragens União", "Perfumaria Flor", "Eletro Sul", "Pet Amigo",
    "Café Açaí", "Tecidos Norte",
)  # fmt: skip
EACH: Final = 20
"""Documents of a client in `made`, two a month."""
_STEP: Final = 500  # notes in one transaction


@dataclass(frozen=True)
class Condition:
    """What is planted for one client. `synced_days`: how long ago its list was read, None for never; `reconciled`:
    whether the month was; `high`, `medium`, `low`: open findings of the month."""

    synced_days: int | None = 0
    missing: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0
    reconciled: bool = True
    exported: bool = False
    closed: bool = False


CONDITIONS: Final = (
    Condition(exported=True, closed=True),
    Condition(missing=3, high=2, medium=1),
    Condition(exported=True),
    Condition(synced_days=9),
    Condition(exported=True, closed=True),
    Condition(medium=4, low=2),
    Condition(synced_days=None, reconciled=False),
    Condition(exported=True, closed=True),
    Condition(high=5),
    Condition(exported=True),
    Condition(exported=True, closed=True),
    Condition(low=1),
    Condition(missing=12, synced_days=6),
    Condition(),
    Condition(exported=True, closed=True),
)


def tax_id(place: int) -> str:
    """The CNPJ of the client at this place."""
    root = f"{10 + place:02d}345678000"  # 11 digits; the 12th and the check digits follow
    base = f"{root}1"
    for weights in ((5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2), (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)):
        rest = sum(int(digit) * weight for digit, weight in zip(base, weights, strict=True)) % 11
        base += "0" if rest < 2 else str(11 - rest)
    return base


def name(place: int) -> str:
    """What the client at this place is called."""
    return NAMES[place % len(NAMES)] + ("" if place < len(NAMES) else f" {place // len(NAMES) + 1}")


def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder, made once for all workers: fifteen clients, and a company that is known from a file alone."""

    def fill(folder: Path) -> None:
        with make(folder, documents=EACH * len(CONDITIONS)).writing("test") as archive:
            store(archive, note(1))

    return made_once(tmp_path_factory, "fifteen-clients", fill)


def make(folder: Path, *, clients: int = 15, documents: int = 30_000) -> Workspace:
    """An archive of these clients with this many notes in all, over ten months."""
    workspace = Workspace.at(folder)
    with workspace.writing("test") as archive:
        owners = [_account(archive, place) for place in range(clients)]
        each = documents // clients
        for place in range(clients):
            _store(archive, place, each)
        for place, owner in enumerate(owners):
            _plant(archive, owner, place, CONDITIONS[place % len(CONDITIONS)], each)
    _date(workspace, owners)
    return workspace


def _account(archive: Archive, place: int) -> Account:
    with archive.writing() as transaction:
        return accounts.add(
            transaction,
            name=f"conta-{place + 1:02d}",
            environment="production",
            address="https://hub.example.com",
            platform="confere",
            establishments=[Establishment(tax_id(place), name(place))],
        )


def _store(archive: Archive, place: int, count: int) -> None:
    for begin in range(0, count, _STEP):
        papers = []
        for number in range(begin + 1, min(begin + _STEP, count) + 1):
            month = MONTHS[number % len(MONTHS)]
            day, total = f"{month}-{1 + number % 28:02d}", f"{number % 900 + 1}.50"
            raw = note(number, day=day, emitter=tax_id(place), total=total)
            papers.append(recorder.NewPaper(Blob(raw, digest_of(raw)), read(raw)))
        with archive.writing() as transaction:
            recorder.record(transaction, archive.vault_writer, papers)


def _plant(archive: Archive, owner: Account, place: int, planted: Condition, each: int) -> None:
    for number in range(planted.missing):
        named_by_hub(archive, owner, 900_000 + place * 1000 + number, items=(f"i{place}-{number}",))
    with archive.writing() as transaction:
        if planted.synced_days is not None:
            _listed(transaction, owner)
        if planted.reconciled:
            _reconcile(archive, transaction, owner, place, planted, each)
        if planted.exported:
            written = runs.start(
                transaction, "export", None, {"company": tax_id(place), "month": MONTH, "profile": "complete"}
            )
            runs.finish(transaction, written, "done", {})
        if planted.closed:
            closings.append(transaction, tax_id(place), MONTH, ClosingKind.CLOSE)


def _listed(transaction: Transaction, owner: Account) -> None:
    number = runs.start(transaction, "sync", owner.id, {"narrowed": "", "full": True})
    window = coverage.begin(
        transaction,
        owner.id,
        number,
        axis=coverage.CREATED,
        from_at=coverage.FOREVER,
        to_at=utc_text(NOW),
        narrowed="",
        method=coverage.SCAN,
    )
    coverage.finish(transaction, window.id)
    runs.finish(transaction, number, "done", {})


def _reconcile(
    archive: Archive, transaction: Transaction, owner: Account, place: int, planted: Condition, each: int
) -> None:
    number = runs.start(transaction, "reconcile", owner.id, {"period": None})
    links.replace(transaction, owner.id, number, Linked((), ()))
    wanted = [
        *[Severity.HIGH] * planted.high,
        *[Severity.MEDIUM] * planted.medium,
        *[Severity.LOW] * planted.low,
    ]
    numbers = [number for number in range(1, each + 1) if MONTHS[number % len(MONTHS)] == MONTH]
    listed = [
        a_finding("R3", f"o{place}-{number}", keys=(key(paper, emitter=tax_id(place)),), severity=severity)
        for number, (severity, paper) in enumerate(zip(wanted, numbers * len(wanted), strict=False))
    ]
    findings.store(transaction, owner.id, number, tuple(listed), period=None, at=utc_text(NOW))
    runs.finish(transaction, number, "done", {"rules": {}, "previous": None})


def _date(workspace: Workspace, owners: list[Account]) -> None:
    """Let everything have happened when it is told to have: the archive writes the hour of this machine."""
    with closing(sqlite3.connect(workspace.home.archive)) as database, database:
        database.execute("UPDATE run SET started_at = ?, finished_at = ?", (utc_text(NOW), utc_text(NOW)))
        for place, owner in enumerate(owners):
            days = CONDITIONS[place % len(CONDITIONS)].synced_days or 0
            at = utc_text(NOW - timedelta(days=days))
            database.execute("UPDATE coverage SET finished_at = ? WHERE account_id = ?", (at, owner.id))
            database.execute(
                "UPDATE run SET started_at = ?, finished_at = ? WHERE kind = 'sync' AND account_id = ?",
                (at, at, owner.id),
            )
