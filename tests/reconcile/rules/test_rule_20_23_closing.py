"""R20 and R23: a closed month against what there is now; a month that was never closed is not checked."""

from __future__ import annotations

from dataclasses import replace

from confere.reconcile import month_changes
from confere.reconcile.month_changes import ChangeKind
from confere.sales.closings import (
    ClosedMonth,
    ClosingAct,
    ClosingKind,
    FiledDocument,
    FiledEvent,
    FiledFinding,
    FiledLink,
    FiledTaxes,
    MonthRows,
    SigningNames,
)
from confere.sales.findings import Finding
from confere.sales.reconciliation_input import Ledger
from tests.reconcile.made import OWN, find, key_of, note

ACT = ClosingAct(
    1, OWN, "2026-03", ClosingKind.CLOSE, "2026-04-05T12:00:00+00:00", "ana", SigningNames(), None, False, {}, "", "00"
)
KEYS = [key_of(number) for number in range(1, 5)]


def document(number: int, **facts: object) -> FiledDocument:
    made = FiledDocument(
        KEYS[number], KEYS[number], f"{number:064x}", "nfe", "authorized", "out", "SP", 10_000, 0, "2026-03-10"
    )
    return made._replace(**facts)


def taxes(number: int, icms: int = 1_800) -> FiledTaxes:
    amounts = (10_000, None, None, None, 10_000, icms, *(None,) * 8)
    return FiledTaxes(KEYS[number], "5102", "000", amounts)


FILED = MonthRows(documents=(document(0), document(1)), taxes=(taxes(0), taxes(1)))


def month(now: MonthRows) -> ClosedMonth:
    return ClosedMonth(ACT, FILED, now)


def findings(rule: str, now: MonthRows, papers: tuple[int, ...] = (0, 1)) -> list[Finding]:
    ledger = Ledger("a", frozenset({OWN}), papers=tuple(note(1 + number) for number in papers), closed=(month(now),))
    return find(rule, ledger)


def test_an_unchanged_month_gives_nothing() -> None:
    assert month_changes.of_month(month(FILED)).count == 0
    assert findings("R20", FILED) == findings("R23", FILED) == []


def test_a_month_that_was_never_closed_is_not_checked_once_it_is_over() -> None:
    ledger = Ledger("a", frozenset({OWN}), papers=(note(1), note(2), note(3, day="2026-04-02")), closed=())
    for rule in ("R20", "R23"):
        (only,) = find(rule, ledger)
        assert (only.checked, only.period, only.subject) == (False, "2026-03", "2026-03")
        assert find(rule, replace(ledger, closed=None)) == []


def test_a_month_whose_closing_was_edited_is_not_checked() -> None:
    damaged = ClosedMonth(ACT, MonthRows(), MonthRows(), is_damaged=True)
    ledger = Ledger("a", frozenset({OWN}), papers=(note(1),), closed=(damaged,))
    for rule in ("R20", "R23"):
        (only,) = find(rule, ledger)
        assert (only.checked, only.subject) == (False, f"{OWN}/2026-03")


def test_a_cancelled_and_a_late_document_are_told_with_what_they_do_to_the_taxes() -> None:
    now = MonthRows(
        documents=(document(0, state="cancelled"), document(1), document(2)), taxes=(taxes(0), taxes(1), taxes(2, 900))
    )
    changes = month_changes.of_month(month(now))
    assert [change.kinds for change in changes.documents] == [(ChangeKind.ARRIVED,), (ChangeKind.CANCELLED,)]
    assert [change.total for change in changes.documents] == [10_000, -10_000]
    assert changes.total == 0
    ((place, amounts),) = changes.taxes.items()
    assert (tuple(place), amounts) == (("out", "5102", "000", "SP"), {"icms": -900})
    late = findings("R23", now, (0, 1, 2))
    assert {(finding.keys, finding.amount) for finding in late} == {((KEYS[0],), 10_000), ((KEYS[2],), 10_000)}
    (sums,) = findings("R20", now)
    assert (sums.period, sums.amount) == ("2026-03", 900)
    assert sums.subject.endswith("/out/5102/000/SP")


def test_every_kind_of_change_is_told_apart() -> None:
    event = FiledEvent(KEYS[0], "110110", 1, "e" * 64, 1, "2026-04-10")
    for now, kind in (
        (replace(FILED, documents=(document(1),)), ChangeKind.GONE),
        (replace(FILED, documents=(document(0, state="replaced"), document(1))), ChangeKind.CANCELLED),
        (replace(FILED, documents=(document(0, state="complemented"), document(1))), ChangeKind.STATE),
        (replace(FILED, documents=(document(0, sha256="f" * 64), document(1))), ChangeKind.OTHER_BYTES),
        (replace(FILED, documents=(document(0, verdict=2), document(1))), ChangeKind.REJUDGED),
        (replace(FILED, taxes=(taxes(0, 1), taxes(1))), ChangeKind.REREAD),
        (replace(FILED, events=(event,)), ChangeKind.CORRECTED),
        (replace(FILED, events=(event._replace(code="210200"),)), ChangeKind.EVENT),
        (replace(FILED, links=(FiledLink(1, "7", KEYS[0], 1),)), ChangeKind.RELINKED),
    ):
        (change,) = month_changes.of_month(month(now)).documents
        assert change.kinds == (kind,)
        assert change.document.key == KEYS[0]
        assert bool(findings("R23", now)) is (kind in month_changes.LATE)


def test_findings_that_came_went_or_were_settled_are_told() -> None:
    finding = FiledFinding(1, "f1", "R3", "open", 100, "[]")
    before = replace(FILED, findings=(finding, finding._replace(fingerprint="f2"), finding._replace(fingerprint="f3")))
    after = replace(
        FILED,
        findings=(
            finding, finding._replace(fingerprint="f2", state="explained"), finding._replace(fingerprint="f4"),
        ),
    )  # fmt: skip
    changes = month_changes.of_month(ClosedMonth(ACT, before, after))
    assert [(change.finding.fingerprint, change.before, change.after) for change in changes.findings] == [
        ("f2", "open", "explained"), ("f3", "open", None), ("f4", None, "open"),
    ]  # fmt: skip


def test_an_event_that_went_missing_is_told_apart_from_one_that_came() -> None:
    gone = FiledEvent(KEYS[0], "110110", 1, "e" * 64, 0, "2026-03-12")
    came = FiledEvent(KEYS[0], "210200", 1, "f" * 64, 0, "2026-03-13")
    filed, now = replace(FILED, events=(gone,)), replace(FILED, events=(came,))
    (change,) = month_changes.of_month(ClosedMonth(ACT, filed, FILED)).documents
    assert (change.kinds, change.detail) == ((ChangeKind.EVENT,), {"events": ("110110", "")})
    (change,) = month_changes.of_month(ClosedMonth(ACT, filed, now)).documents
    assert change.detail == {"events": ("110110", "210200")}
