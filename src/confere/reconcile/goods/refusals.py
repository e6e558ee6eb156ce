"""Whether a delivery was refused or failed, by the last event of the recipient or of the carrier.

Source: Ajustes SINIEF 47/2025, 49/2025 and 8/2026: the recipient registers 210220 or 210240, the carrier 110192 on the
NF-e or 110190 on its CT-e. A carrier tries again: only what no later event, and no later freight, made good counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from confere.errors import Message, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.goods.freight import CARRIES, carrying_in_effect
from confere.sales.reconciliation_input import DocumentEvent, PaperEntry

UNKNOWN: Final = "210220"
NOT_CARRIED_OUT: Final = "210240"
NOTE_NOT_DELIVERED: Final = "110192"
FREIGHT_NOT_DELIVERED: Final = "110190"
_BY_RECIPIENT: Final = frozenset({"210200", UNKNOWN, NOT_CARRIED_OUT})
_OF_NOTE: Final = frozenset({NOTE_NOT_DELIVERED, "110193", "110130", "110131", "610130", "610131"})
_OF_FREIGHT: Final = frozenset({FREIGHT_NOT_DELIVERED, "110191", "110180", "110181"})


class Refusal(NamedTuple):
    """The event (`code`, local day) that says so; `freight` is the CT-e that it happened to."""

    code: str
    on: str
    freight: PaperEntry | None = None

    @property
    def by_recipient(self) -> bool:
        """Whether the recipient says so, whose word no later attempt changes."""
        return self.code in _BY_RECIPIENT


def refusal_of(view: View, sale: PaperEntry) -> Refusal | None:
    """The recipient's last word where it is a refusal, else the carrier's last one where it is a failure."""
    happened = view.happenings.get(sale.key or "", ())
    last = _last(happened, _BY_RECIPIENT)
    if last is not None and last.code != "210200":
        return Refusal(last.code, last.occurred_on)
    if last is not None:
        return None
    carriers = [paper for paper in view.sources(sale.key, CARRIES) if carrying_in_effect(paper)]
    last = _last(happened, _OF_NOTE)
    if last is not None:
        failed = last.code == NOTE_NOT_DELIVERED and not _sent_again(carriers, last.occurred_on)
        return Refusal(last.code, last.occurred_on) if failed else None
    failures = []
    for paper in carriers:
        last = _last(view.happenings.get(paper.key or "", ()), _OF_FREIGHT)
        if last is None or last.code != FREIGHT_NOT_DELIVERED or len(view.targets(paper.key, CARRIES)) > 1:
            # One that is delivered, is on its way, or says it of several notes: nobody can tell of this one.
            if last is None or last.code != "110191":
                return None
            continue
        failures.append(Refusal(last.code, last.occurred_on, paper))
    newest = max(failures, key=lambda event: event.on, default=None)
    return None if newest is None or _sent_again(carriers, newest.on) else newest


def evidence(view: View, sales: Iterable[PaperEntry]) -> list[Message]:
    """One sentence for each of these sales that was refused or not delivered."""
    refused = ((sale, refusal_of(view, sale)) for sale in sales)
    return [sentence(sale, refusal) for sale, refusal in refused if refusal is not None]


def sentence(sale: PaperEntry, refusal: Refusal) -> Message:
    """The sentence of evidence: who registered the refusal of `sale`, by which event, on which day."""
    name, day = evidence_text.named(sale), evidence_text.day(refusal.on) or "?"
    if refusal.code == UNKNOWN:
        return message(
            "The recipient of {name} registered on {day} that the operation is unknown (210220).", name=name, day=day
        )
    if refusal.code == NOT_CARRIED_OUT:
        return message(
            "The recipient of {name} registered on {day} that the operation was not carried out (210240).",
            name=name,
            day=day,
        )
    if refusal.freight is None:
        return message("The delivery of {name} failed on {day} (event 110192).", name=name, day=day)
    return message(
        "The delivery of {name} failed on {day} (event 110190 of {freight}).",
        name=name,
        day=day,
        freight=evidence_text.named(refusal.freight),
    )


def _last(happened: Iterable[DocumentEvent], codes: Collection[str]) -> DocumentEvent | None:
    """The last of these that is known: those of one day by their sequence."""
    fitting = [event for event in happened if event.code in codes]
    return max(fitting, key=lambda event: (event.occurred_on, event.sequence or 0), default=None)


def _sent_again(carriers: Iterable[PaperEntry], on: str) -> bool:
    """Whether a freight was issued after the failure: another attempt."""
    return any(paper.issued_on > on for paper in carriers)
