"""Sections of a document, as the window shows them, on a terminal: a title, then labels with their lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.text import Text

from confere.app.documents.view import facts
from confere.app.documents.view.facts import MARKS, Fact, Section
from confere.cli import tables
from confere.system.plain_text import plain

_INDENT = "  "


def add_title(made: list[RenderableType], title: str, *below: RenderableType) -> None:
    """A title with what stands below it."""
    made += [Text(""), Text(plain(title), style="bold"), *below]


def add_facts(made: list[RenderableType], title: str, pairs: Sequence[tuple[str, object]]) -> None:
    """A section of labels and values; nothing where none of them has a value."""
    if any(value not in (None, "") for _, value in pairs):
        add_title(made, title, tables.facts((plain(label), value) for label, value in pairs))


def add_section(made: list[RenderableType], section: Section) -> None:
    """A section with all of its facts; those without a label are sentences."""
    add_title(made, section.title)
    if any(fact.label for fact in section.facts):
        made.append(tables.facts(pairs(section.facts)))
    else:
        made.extend(Text(line, overflow="fold") for fact in section.facts for line in _sentences(fact))


def pairs(found: Iterable[Fact]) -> list[tuple[str, object]]:
    """Labels and values: each further line of a fact has no label, and what stands under a heading is indented."""
    made: list[tuple[str, object]] = []
    indent = ""
    for fact in found:
        if fact.lines[0].rank == facts.HEAD:
            made.append((plain(fact.lines[0].text), " "))
            indent = _INDENT
            continue
        first, *others = (f"{_mark(fact)}{fact.lines[0].text}", *(line.text for line in fact.lines[1:]))
        made.append((f"{indent}{plain(fact.label)}", first))
        made += [("", text) for text in others]
    return made


def _sentences(fact: Fact) -> list[str]:
    first, *others = (plain(line.text) for line in fact.lines)
    mark = _mark(fact)
    return [f"{mark}{first}", *(f"{_INDENT if mark else ''}{text}" for text in others)]


def _mark(fact: Fact) -> str:
    return f"{MARKS[fact.mark]} " if fact.mark else ""
