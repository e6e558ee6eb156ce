"""The words for the lines of a month's checklist, shared by both faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from confere.app.closing.checklist_line import NamedEvent
from confere.app.closing.company_row import OpenFindings
from confere.app.labels.labels import event_word
from confere.errors import N_, NC_, Message
from confere.system import formatting
from confere.system.messages import render, t

_STATES: Final = {
    "ok": N_("ok"),
    "warning": N_("note"),
    "not_checked": NC_("line", "not checked"),
    "problem": N_("problem"),
}
_MONTHS: Final = {
    "ok": N_("complete"),
    "warning": N_("complete, with notes"),
    "not_checked": N_("not all checked"),
    "problem": N_("incomplete"),
}
_TITLES: Final = {
    "documents_listed": N_("Documents listed"),
    "orders_listed": N_("Orders listed"),
    "returns_listed": N_("Returns listed"),
    "list_short": N_("List short of what the hub has"),
    "conservation": N_("Every record accounted for"),
    "not_downloaded": N_("XML not downloaded"),
    "not_offered": N_("XML not offered by the hub"),
    "unreadable": N_("Unreadable"),
    "unreadable_files": N_("Unreadable files"),
    "event_without_file": N_("Events without a file"),
    "document_of_event": N_("Events without their document"),
    "bytes_missing": N_("Bytes missing"),
    "not_belonging": N_("Documents not in the company's list"),
    "not_shown": N_("Documents that no list shows"),
    "undated": N_("Documents without a date"),
    "authenticity": N_("Authenticity"),
    "refused_events": N_("Events that the authority refused"),
    "references": N_("References"),
    "number_gaps": N_("Number gaps"),
    "events_fresh": N_("Events fresh"),
    "orders_of_no_company": N_("Orders of no company"),
    "findings": N_("Open findings"),
    "signed": N_("Reviewer's signature"),
    "exported": N_("Package"),
    "closed": N_("Closing"),
}
_COUNTS: Final = {
    "documents": N_("documents"),
    "events": N_("events"),
    "orders": N_("orders"),
    "files": N_("files"),
    "listed": N_("listed"),
    "archived": N_("archived"),
    "waiting": N_("waiting"),
    "refused": N_("refused with a reason"),
    "lost": NC_("files", "lost"),
    "missing": N_("missing"),
    "shown": N_("shown"),
    "days_not_listed": N_("days not listed"),
    "not_authentic": N_("not authentic"),
    "events_not_authentic": N_("of them events"),
    "like_one_registered": N_("for one that is registered there"),
    "not_verified": N_("not verified yet"),
    "checked_in_part": N_("checked in part"),
    "tests": N_("test documents"),
    "own": N_("of the company"),
    "before_archive": N_("older than the archive"),
    "of_others": N_("issued by others"),
    "series": N_("series"),
    "series_not_declared": N_("series not declared"),
    "missing_not_declared": N_("missing in series not declared"),
    "missing_not_listed": N_("missing on days not listed"),
    "numbers": N_("numbers of the month"),
    "voided_ranges": N_("ranges declared unused"),
    "older": N_("listed too long ago"),
    "not_listed": N_("listed by no hub"),
    "days": N_("days allowed"),
    "findings": N_("findings"),
    "open": NC_("finding", "open"),
    "high": N_("high"),
    "medium": N_("medium"),
    "low": N_("low"),
    "of_no_company": N_("of the account, of no company"),
    "awaiting_closing": N_("waiting for the closing"),
    "not_checked": NC_("line", "not checked"),
}


def state_word(state: str) -> str:
    """The word for the state of a line."""
    return render(Message(_STATES[state]))


def month_state_word(state: str) -> str:
    """The word for the state of a whole month: it is complete only where everything was looked at."""
    return render(Message(_MONTHS[state]))


def line_title(code: str) -> str:
    """What a line is about, in a few words."""
    return render(Message(_TITLES[code]))


def count_word(name: str) -> str:
    """What a line counted, in a word or two."""
    return render(Message(_COUNTS[name]))


def findings_text(found: OpenFindings | None) -> str:
    """Open findings by severity, as one cell has them."""
    if found is None:
        return t(NC_("line", "not checked"))
    parts = [
        f"{formatting.count(number)} {count_word(name)}"
        for name, number in (("high", found.high), ("medium", found.medium), ("low", found.low))
        if number
    ]
    return " · ".join(parts) or "0"


def name_with_events(name: str, events: Iterable[NamedEvent]) -> str:
    """A name of a line's proof, with the events of it that the line is about."""
    own = [event for event in events if event.access_key == name]
    if not own:
        return name
    words = ", ".join(
        event_word(event.code, event.description, name)
        + (f" {event.sequence}" if event.sequence and event.sequence > 1 else "")
        for event in own
    )
    if own[0].with_document:
        return t("{name} · the document and: {events}", name=name, events=words)
    return t("{name} · the event alone: {events}", name=name, events=words)


def named_text(names: Sequence[str], count: int) -> str:
    """The first names of `count`."""
    text = ", ".join(names)
    rest = count - len(names)
    return t("{names} and {count} more", names=text, count=formatting.count(rest)) if rest > 0 else text
