"""The lines about whether what a company's month holds is authentic: documents, events, and those that were refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from confere.app.closing.checklist_line import (
    MOST_NAMES,
    ChecklistLine,
    LineCode,
    LineProof,
    LineState,
    NamedEvent,
    RemedyKind,
    named,
)
from confere.app.closing.paper_lines import OTHER, CompanyMonth
from confere.app.labels.labels import month_word
from confere.archive.authenticity import verdicts
from confere.archive.closing import month_papers
from confere.archive.closing.month_papers import EventVerdict
from confere.archive.documents import export_queries
from confere.archive.transaction import Transaction
from confere.errors import Message, message
from confere.fiscal.authenticity.verdict import Result
from confere.fiscal.state import KNOWN_ALREADY
from confere.system import formatting

_NONE: Final = "none"  # nobody checked it yet
_VERIFY: Final = message("Run `confere verify`.")


def authenticity_lines(transaction: Transaction, of: CompanyMonth) -> Iterator[ChecklistLine]:
    """Whether every document and event of the month was judged, and is authentic; its events of earlier documents too.

    What is said of an event is not said of its document: `proof.names` has the keys of both, `proof.events` the events.
    An event that the authority refused is no forgery, and nothing lacks for it: it has a line of its own.
    """
    # Events of the month of documents of earlier ones are handed over with it, too.
    earlier = export_queries.earlier_event_ids(transaction, of.company, of.month.first_day, of.month.last_day)
    own = month_papers.event_verdicts(transaction, of.keys)
    happened = (*own, *month_papers.event_verdicts_by_id(transaction, earlier))
    yield _authenticity(of, [event for event in happened if not event.is_refused])
    # Where the one that was registered is here, the refused one is but an echo of it.
    refused = [event for event in happened if event.is_refused and not event.is_known]
    if refused:
        yield _refused(refused)


def _refused(events: Sequence[EventVerdict]) -> ChecklistLine:
    """Source: Ajuste SINIEF 7/05, cl. 13 (a cancellation is the registration of its event)."""
    like_registered = [event for event in events if event.refusal in KNOWN_ALREADY]
    counts = {"events": len(events), "like_one_registered": len(like_registered)}
    texts = {name: formatting.count(count) for name, count in counts.items()}
    if like_registered:
        what = message(
            "Events that the authority refused, so that they have no effect: {events}; of them because one like it is"
            " registered there, which is not here: {like_one_registered}.",
            **texts,
        )
        remedy = message(
            "Look these documents up by their keys at the authority's portal. Where an event is registered there,"
            " import its XML; else there is nothing to fetch, and the document stands as it was."
        )
    else:
        what = message(
            "Events that the authority refused, so that they have no effect: {events}. The documents stand as they"
            " were.",
            **texts,
        )
        remedy = message("There is nothing to fetch. Where the event is still wanted, its author sends it anew.")
    first = (like_registered or events)[0].access_key
    proof = named(dict.fromkeys(event.access_key for event in events), f"confere verify {first}", **counts)
    return ChecklistLine(
        code=LineCode.REFUSED_EVENTS,
        state=LineState.WARNING,
        what=what,
        proof=replace(proof, events=tuple(_named(events, ()))[:MOST_NAMES], is_listed=False),
        remedy=remedy,
    )


def _authenticity(of: CompanyMonth, happened: Sequence[EventVerdict]) -> ChecklistLine:
    papers: dict[str, list[str]] = defaultdict(list)
    events: dict[str, list[EventVerdict]] = defaultdict(list)
    for paper in of.papers:
        if paper.kind != OTHER:
            papers[verdicts.verdict_of(paper.judged) or _NONE].append(paper.name)
    for event in happened:
        events[verdicts.verdict_of(event.verdict) or _NONE].append(event)
    number = {result: len(papers[result]) + len(events[result]) for result in (*Result, _NONE)}
    counts = {
        "documents": sum(map(len, papers.values())),
        "events": sum(map(len, events.values())),
        "not_authentic": number[Result.FAILED],
        "events_not_authentic": len(events[Result.FAILED]),
        "not_verified": number[_NONE],
        "checked_in_part": number[Result.UNCHECKED],
        "tests": number[Result.TEST],
    }
    texts = {name: formatting.count(count) for name, count in counts.items()}
    result: str
    kind, remedy, command = RemedyKind.VERIFY, _VERIFY, "confere verify"
    if number[Result.FAILED]:
        result, state, kind = Result.FAILED, LineState.PROBLEM, RemedyKind.NOT_AUTHENTIC
        what = _not_authentic(len(papers[result]), len(events[result]), number[_NONE])
        remedy = message("Look at each, and ask whoever sent it for the authorized XML.")
        # A list of documents has none of those whose event alone is not authentic.
        command = of.command("--verdict failed") if papers[result] else f"confere verify {events[result][0].access_key}"
    elif number[_NONE]:
        result, state = _NONE, LineState.NOT_CHECKED
        what = message("Documents and events whose authenticity was not verified yet: {not_verified}.", **texts)
    elif number[Result.UNCHECKED]:
        result, state = Result.UNCHECKED, LineState.NOT_CHECKED
        what = message("Documents and events whose authenticity could be checked only in part: {count}.",
                       count=texts["checked_in_part"])  # fmt: skip
        command = of.command("--verdict unchecked")
    elif number[Result.TEST]:
        result, state = Result.TEST, LineState.WARNING
        what = message("Documents of the test environment, without fiscal value: {tests}.", **texts)
        command = of.command("--verdict test")
    else:
        return _authentic(of, counts, texts)
    proof = named(dict.fromkeys([*papers[result], *(event.access_key for event in events[result])]), command, **counts)
    return ChecklistLine(
        code=LineCode.AUTHENTICITY,
        state=state,
        what=what,
        proof=replace(
            proof,
            events=tuple(_named(events[result], papers[result]))[:MOST_NAMES],
            is_listed=result != Result.FAILED or bool(papers[result]),
        ),
        remedy=remedy,
        remedy_kind=kind,
    )


def _not_authentic(documents: int, events: int, unverified: int) -> Message:
    counts = {"documents": formatting.count(documents), "events": formatting.count(events)}
    if not events:
        what = message("Documents that are not authentic: {documents}.", **counts)
    elif documents:
        what = message("Documents that are not authentic: {documents}; events: {events}.", **counts)
    else:
        what = message("Events that are not authentic: {events}. No document failed.", **counts)
    if not unverified:
        return what
    return message("{what} Not verified yet: {count}.", what=what, count=formatting.count(unverified))


def _authentic(of: CompanyMonth, counts: dict[str, int], texts: dict[str, str]) -> ChecklistLine:
    what = message("All {documents} documents and {events} events are authentic.", **texts)
    if counts["documents"] == 1 and not counts["events"]:
        what = message("The only document is authentic.")
    if not of.papers:
        what = message("There is no document in {month}.", month=month_word(of.month.text))
    return ChecklistLine(code=LineCode.AUTHENTICITY, state=LineState.OK, what=what, proof=LineProof(counts=counts))


def _named(events: Sequence[EventVerdict], papers: Sequence[str]) -> Iterator[NamedEvent]:
    keys = frozenset(papers)
    for event in events:
        yield NamedEvent(
            event.access_key, event.code, event.sequence, event.description, with_document=event.access_key in keys
        )
