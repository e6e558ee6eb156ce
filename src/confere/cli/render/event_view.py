"""What came after a document, for a terminal: its events and the answers of the authority in files of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from confere.app.labels import labels as words_of
from confere.cli import tables
from confere.cli.render import labels
from confere.cli.render.section_view import add_title
from confere.errors import NC_
from confere.fiscal.authenticity.verdict import Result, Verdict
from confere.fiscal.detail import Fields
from confere.fiscal.law import field_text
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.documents.full_document import EventRow, FullDocument
    from confere.app.documents.view.loaded import Loaded

_CORRECTION = "infCorrecao/"  # of a CT-e; the event's words tell it line by line
_NAMED_IN_TITLE = ("descEvento", "xDesc")
_Facts = list[tuple[str, object]]


def add_events(made: list[RenderableType], loaded: Loaded) -> None:
    """Every event of which this is the copy that counts."""
    current = [event for event in loaded.view.full.events if event.is_current]
    if current:
        add_title(made, t("Events"))
        _add_apart(made, [_event(event, loaded) for event in current])


def add_answers(made: list[RenderableType], full: FullDocument) -> None:
    """Protocols that came in files of their own."""
    if full.answers:
        add_title(made, t("Answers of the authority in files of their own"))
        answers: list[_Facts] = [
            [
                (formatting.moment(answer.received_at) or "–", f"{answer.cstat or '-'} {answer.reason or ''}".strip()),
                (t("Protocol"), answer.number),
                (t("Not believed"), "" if answer.doubt is None else render(answer.doubt)),
                ("SHA-256", answer.sha256),
            ]
            for answer in full.answers
        ]
        _add_apart(made, answers)


def _add_apart(made: list[RenderableType], groups: list[_Facts]) -> None:
    """Each of them with an empty line between."""
    for number, group in enumerate(groups):
        made += [Text("")] if number else []
        made.append(tables.facts((plain(label), value) for label, value in group))


def _event(event: EventRow, loaded: Loaded) -> _Facts:
    name = words_of.event_word(event.code, event.description, event.access_key)
    whole = loaded.view.whole.events.get(event.id)
    verdict = loaded.verdict_of(event)
    doubt = loaded.view.full.doubts.get(event.id)
    missing = t("no: {reason}", reason=event.reason or event.cstat or "-")
    return [
        (formatting.moment(event.occurred_at) or "–", f"{name} ({event.code} · {event.sequence})"),
        (
            t(NC_("yes or no", "Registered")),
            formatting.moment(event.registered_at) or t("yes") if event.registered else missing,
        ),
        (t("Protocol"), event.protocol),
        (t("Author"), labels.tax_id_word(event.author)),
        (t("Authenticity"), "" if verdict is None else _verdict(verdict)),
        (t("Not believed"), "" if doubt is None else render(doubt)),
        *_fields(event.text, whole.fields if whole is not None else ()),
        ("SHA-256", event.sha256),
    ]


def _fields(text: str | None, fields: Fields) -> _Facts:
    """What an event says, its author's words once: under their own name where one field holds them all."""
    rest = tuple((path, value) for path, value in fields if field_text.tag_of(path) not in _NAMED_IN_TITLE)
    if not text or any(value == text for _, value in rest):
        return [*field_text.labelled(rest)]
    lines = set(text.splitlines())
    rest = tuple(
        (path, value) for path, value in rest if _CORRECTION not in path and not lines.issuperset(value.splitlines())
    )
    return [(t("Text"), text), *field_text.labelled(rest)]


def _verdict(verdict: Verdict) -> str:
    """The whole of it, then the lines that failed or could not be asked."""
    wrong = [line for line in verdict.lines if line.result in (Result.FAILED, Result.UNCHECKED, Result.TEST)]
    reasons = [
        f"{words_of.check_word(line.check)}: {render(line.why) if line.why is not None else ''}" for line in wrong
    ]
    return "; ".join((words_of.verdict_word(verdict.word), *reasons))
