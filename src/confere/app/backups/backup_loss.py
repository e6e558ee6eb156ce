"""What is said where the newest backup holds less of something than an older one, and how a person accepts that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from confere.archive.clock import from_text
from confere.archive.maintenance.backups import copy_counts
from confere.archive.maintenance.backups.copy_counts import Fall, LossKind
from confere.archive.maintenance.backups.copy_memory import HeldMore
from confere.errors import N_, Message, message
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.processes.command_text import argument

KINDS: Final[Mapping[str, str]] = {
    LossKind.DOCUMENTS: N_("documents"),
    LossKind.EVENTS: N_("events"),
    LossKind.ORDERS: N_("orders"),
    LossKind.DECISIONS: N_("decisions on findings"),
    LossKind.LINKS: N_("links decided by hand"),
    LossKind.CLOSINGS: N_("closings and reopenings of months"),
    LossKind.SIGN_OFFS: N_("signatures under the findings of months"),
    LossKind.ACCOUNTS: N_("accounts"),
}


def sentence(held: Sequence[HeldMore]) -> Message | None:
    """What the newest copy lacks, of which older copy, and what to do; None where no copy holds more."""
    if not held:
        return None
    return message(
        "The newest backup holds less than that of {day}: {what}. The older one is not removed."
        " `confere restore --preview {file}` shows what is missing; if it is right so, `confere backup --acknowledge`.",
        day=formatting.date(made_at(held[0])),
        what=_joined([words(fall) for fall in totals(held[0])]),
        file=argument(held[0].record.path),
    )


def totals(held: HeldMore) -> tuple[Fall, ...]:
    """What fell, kind by kind: as a whole where there is less of all of it, else by month."""
    older, newer = held.record.counts or {}, held.newest.counts or {}
    falls: dict[tuple[str, str], Fall] = {}
    for fall in held.falls:
        whole = Fall(fall.kind, "", copy_counts.total(older, fall.kind), copy_counts.total(newer, fall.kind))
        shown = whole if whole.had > whole.has else fall
        falls[shown.kind, shown.month] = shown
    return tuple(falls.values())


def words(fall: Fall) -> Message:
    """A kind and both numbers."""
    params = {
        "what": Message(KINDS.get(fall.kind, fall.kind)),
        "has": formatting.count(fall.has),
        "had": formatting.count(fall.had),
    }
    if not fall.month:
        return Message(N_("{what} {has}, then {had}"), params)
    return Message(N_("{what} of {month} {has}, then {had}"), {**params, "month": formatting.month(fall.month)})


def made_at(held: HeldMore) -> datetime:
    """When the copy that holds more was made."""
    return from_text(held.record.made_at).astimezone(BRASILIA)


def _joined(parts: Sequence[Message]) -> Message:
    whole = parts[0]
    for part in parts[1:]:
        whole = message("{first}; {next}", first=whole, next=part)
    return whole
