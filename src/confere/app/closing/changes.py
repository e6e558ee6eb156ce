"""The use case "what changed since the month was closed": each change with what it does to the taxes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.closing import month_basis
from confere.app.closing.month_basis import CoverageChange as CoverageChange
from confere.app.closing.month_basis import TermsChange as TermsChange
from confere.archive.accounts.accounts import names_of
from confere.archive.closing import closings, month_rows
from confere.archive.reconciliation.findings import with_fingerprints
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import vault
from confere.errors import ArchiveError, NotInArchive, PaperError, message
from confere.export.months import month_of
from confere.export.package.request import company_of
from confere.fiscal.detail import FullItem, NoteDetail, Tax
from confere.fiscal.model import Paper
from confere.fiscal.reading.amounts import cents
from confere.fiscal.reading.document import read
from confere.reconcile import month_changes
from confere.reconcile.month_changes import (
    ChangeKind as ChangeKind,
)
from confere.reconcile.month_changes import (
    DocumentChange as DocumentChange,
)
from confere.reconcile.month_changes import (
    EffectPlace as EffectPlace,
)
from confere.reconcile.month_changes import (
    FindingChange as FindingChange,
)
from confere.reconcile.month_changes import (
    MonthChanges as MonthChanges,
)
from confere.sales.closings import ClosedMonth, ClosingAct, FiledDocument

DIFAL: Final = {"vICMSUFDest": "difal", "vFCPUFDest": "fcp_destination", "vICMSUFRemet": "difal_origin"}
"""What the group ICMSUFDest of an item says, and what `EffectPlace` sums call it."""
EFFECTS: Final = (
    *("products", "discount", "icms_base", "icms", "icms_st_base", "icms_st", "fcp", *DIFAL.values()),
    *("ipi", "pis", "cofins", "ibs", "cbs"),
)
"""The names of the sums, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class ChangesOfMonth:
    """A company's month with what changed; `act` is the closing that stands or, where it was opened again, the last
    that stood and `reopened` what opened it. `head` is the short one that papers print.

    `coverage` and `terms` are what it stood on; they change nothing that was filed and are not counted in `changes`.
    """

    act: ClosingAct
    reopened: ClosingAct | None
    changes: MonthChanges
    coverage: tuple[CoverageChange, ...] = ()
    terms: tuple[TermsChange, ...] = ()

    @property
    def is_closed(self) -> bool:
        return self.reopened is None

    @property
    def head(self) -> str:
        return self.act.head[: closings.SHORT]


def changes(opened: OpenArchive, month: str, company: str | None = None) -> tuple[ChangesOfMonth, ...]:
    """What changed in the month since it was last closed, company by company.

    `NotInArchive` where it never was.
    """
    text = month_of(month).text
    owner = None if company is None else company_of(company)
    archive = opened.archive()
    with archive.reading() as transaction:
        newest = {act.company: act for act in closings.acts(transaction, owner, text)}
        closed = {act.company: act for act in closings.acts(transaction, owner, text) if act.is_closed}
        if not closed:
            raise NotInArchive(
                message("The month {month} was never closed.", month=text),
                message("`confere close --period {month}` closes it.", month=text),
            )
        return tuple(
            _with_basis(
                ChangesOfMonth(
                    act, None if newest[name].is_closed else newest[name], _of_act(archive, transaction, act)
                )
            )
            for name, act in sorted(closed.items())
        )


def _with_basis(month: ChangesOfMonth) -> ChangesOfMonth:
    filed, now = month.changes.closed.filed, month.changes.closed.now
    coverage = month_basis.coverage_changes(filed, now, month.act.month)
    return replace(month, coverage=coverage, terms=month_basis.terms_changes(filed, now))


def since(transaction: Transaction, act: ClosingAct) -> MonthChanges:
    """What changed since this closing, without what stands in XML alone (DIFAL) and what a closing does not freeze."""
    filed = month_rows.own_alone(transaction, closings.frozen_of(transaction, act), act.company, act.month)
    return month_changes.of_month(ClosedMonth(act, filed, month_rows.read(transaction, act.company, act.month)))


def _of_act(archive: Archive, transaction: Transaction, act: ClosingAct) -> MonthChanges:
    compared = since(transaction, act)
    documents = tuple(_with_difal(archive, transaction, change) for change in compared.documents)
    findings = tuple(_named(transaction, compared.findings, names_of(transaction)))
    return replace(compared, documents=documents, findings=findings)


def _named(
    transaction: Transaction, changes: Iterable[FindingChange], accounts: Mapping[int, str]
) -> Iterator[FindingChange]:
    """The changes with what a closing does not freeze of a finding: its number and its orders."""
    by_account: dict[int, list[FindingChange]] = defaultdict(list)
    for change in changes:
        by_account[change.finding.account].append(change)
    for account, theirs in by_account.items():
        stored = with_fingerprints(transaction, account, [change.finding.fingerprint for change in theirs])
        for change in theirs:
            entry = stored.get(change.finding.fingerprint)
            named = replace(change, account=accounts.get(account))
            if entry is not None:
                named = replace(named, number=entry.id, orders=entry.found.orders, subject=entry.found.subject)
            yield named


def _with_difal(archive: Archive, transaction: Transaction, change: DocumentChange) -> DocumentChange:
    """The change with the DIFAL of its XML, which no table of the archive holds."""
    was, now = _in_effect(change.filed), _in_effect(change.now)
    if was is not None and now is not None and was.sha256 == now.sha256:
        return change
    try:
        after, before = _difal(archive, transaction, now), _difal(archive, transaction, was)
    except (ArchiveError, PaperError):
        return replace(change, difal_unread=True)
    negated = {place: {name: -amount for name, amount in sums.items()} for place, sums in before.items()}
    return replace(change, taxes=month_changes.summed((change.taxes, after, negated)))


def _in_effect(document: FiledDocument | None) -> FiledDocument | None:
    """The document, where its taxes count."""
    return document if document is not None and document.state in month_changes.IN_EFFECT else None


def _difal(
    archive: Archive, transaction: Transaction, document: FiledDocument | None
) -> Mapping[EffectPlace, Mapping[str, int]]:
    """Raises `ArchiveError` where the content is not here any more, `PaperError` where it cannot be read.

    Source: Convênio ICMS 236/21 (DIFAL to non-taxpayers); MOC 7.0, annex I, group NA (ICMSUFDest).
    """
    if document is None or document.key is None:
        return {}
    digest = bytes.fromhex(document.sha256)
    number = vault.find(transaction, [digest]).get(digest)
    if number is None:
        raise ArchiveError(message("The content with the SHA-256 {digest} is not here.", digest=document.sha256))
    paper = read(archive.vault.get(transaction, number), whole=True)
    sums: dict[EffectPlace, Counter[str]] = defaultdict(Counter)
    for item in _items(paper, document.key):
        icms = item.tax("ICMS")
        cst = None if icms is None else f"{icms.origin or ''}{icms.cst or ''}"
        place = EffectPlace(document.direction, item.item.cfop, cst, document.uf)
        for name, amount in _amounts(item.taxes):
            sums[place][name] += amount
    return sums


def _items(paper: Paper, key: str) -> Iterable[FullItem]:
    for document in paper.documents:
        if document.access_key == key and isinstance(document.detail, NoteDetail):
            yield from document.detail.items


def _amounts(taxes: Iterable[Tax]) -> Iterable[tuple[str, int]]:
    for tax in taxes:
        if tax.name == "ICMSUFDest":
            for tag, text in tax.fields:
                if tag in DIFAL and (amount := cents(text, tag, [])):
                    yield DIFAL[tag], amount
