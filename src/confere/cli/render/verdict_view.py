"""Verdicts on authenticity for the command line: their JSON, and tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from confere.app.labels import labels
from confere.cli import tables
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.fiscal.authenticity.verdict import Result, Verdict
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.authenticity.verify import DocumentVerdicts, PaperVerdict
    from confere.app.documents.browse import DocumentRow

_STYLES = {
    Result.OK: "green",
    Result.FAILED: "bold red",
    Result.UNCHECKED: "yellow",
    Result.NOT_APPLICABLE: "dim",
    Result.TEST: "cyan",
}
_MARKS = {Result.OK: "✓", Result.FAILED: "✗", Result.UNCHECKED: "?", Result.NOT_APPLICABLE: "–", Result.TEST: "•"}


def document(verdicts: DocumentVerdicts) -> Shape:
    """A document with the verdicts on its events."""
    return paper_of(verdicts.document, verdicts.events)


def paper_of(of: PaperVerdict, of_events: Iterable[PaperVerdict]) -> Shape:
    """A document with the verdicts on these events of it."""
    names = ("access_key=judged.access_key", "sha256")
    return {**fields_of(of, *names), **verdict(of.verdict), "events": events(of_events)}


def events(papers: Iterable[PaperVerdict]) -> list[Shape]:
    """The verdicts on the events of a document."""
    names = ("access_key=judged.access_key", "code=judged.code", "sequence=judged.sequence", "sha256")
    return [fields_of(event, *names) | verdict(event.verdict) for event in papers]


def verdict(of: Verdict) -> Shape:
    """What it amounts to, and every line of it."""
    lines = each_of(of.lines, "check", "result", "altered", "why")
    return fields_of(of, "verdict=result", "altered") | {"lines": lines}


def lines(found: Verdict) -> RenderableType:
    """One line a check: mark, what was asked, and why it is so."""
    return tables.table(
        ("", t("Check"), t("Result"), t("Why")),
        [
            (
                Text(_MARKS[line.result], style=_STYLES[line.result]),
                labels.check_word(line.check),
                Text(labels.result_word(line.word), style=_STYLES[line.result]),
                "" if line.why is None else render(line.why),
            )
            for line in found.lines
        ],
    )


def paper(row: DocumentRow | None, found: Sequence[PaperVerdict]) -> list[RenderableType]:
    """The verdict on each paper of one document."""
    made: list[RenderableType] = []
    for entry in found:
        if entry.judged.kind == "event":
            title = labels.event_word(entry.judged.code, None, entry.judged.access_key)
        elif row is not None:
            title = f"{labels.type_word(row.type)} {labels.number_word(row.series, row.number)}".strip()
        else:
            title = ""
        result = entry.verdict.result
        head = Text(f"{plain(title)}: ", style="bold")
        head.append(labels.verdict_word(entry.verdict.word), style=_STYLES[result])
        made += [head, lines(entry.verdict), ""]
    return made
