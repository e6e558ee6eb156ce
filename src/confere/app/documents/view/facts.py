"""What a document in full is made of: sections of facts, each a label and what there is to say."""

from __future__ import annotations

from dataclasses import dataclass

from confere.system import formatting
from confere.system.messages import t

Place = int | str
"""A document's row, or the access key of what has none in the archive."""
PLAIN, STRONG, MUTED, GOOD, WARN, BAD, HEAD = "text", "strong", "muted", "good", "warn", "bad", "head"

MARKS = {"ok": "✓", "failed": "✗", "not_applicable": "–", "unchecked": "?", "test": "•", "warn": "!"}
"""A mark is a shape: what it says is never said by its colour alone."""


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """How much of a document is told: with `hidden` natural persons by their initials alone.

    `parts` and `fields`: how many parts of a kind, such as instalments, and how many fields of a group; None for all.
    """

    hidden: bool = False
    parts: int | None = 60
    fields: int | None = 400

    def rest(self, count: int, most: int | None) -> Fact | None:
        """What stands for those of `count` that are beyond `most`."""
        if most is None or count <= most:
            return None
        return fact("", t("… and {count} more; the XML page has each.", count=formatting.count(count - most)), MUTED)


EVERYTHING = ViewOptions(parts=None, fields=None)


@dataclass(frozen=True, slots=True)
class FactLine:
    """A text in a rank; `link` is the document that it leads to, by its row or by its key."""

    text: str
    rank: str = PLAIN
    link: Place | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A label with what there is to say; nothing to say is no fact.

    `mark` is a key of `MARKS` before it; a `figure` stands in a column with the others below it.
    """

    label: str
    lines: tuple[FactLine, ...]
    mark: str = ""
    figure: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Facts under a title; one with a `fold` is opened by its title, and shown closed at first.

    `in_table`: the table of items and carried documents has the same, and more.
    """

    title: str
    facts: tuple[Fact, ...]
    fold: str = ""
    in_table: bool = False


def section(title: str, *facts: Fact | None, fold: str = "") -> Section:
    """A section of the facts that there are."""
    return Section(title, tuple(entry for entry in facts if entry is not None), fold)


def fact(label: str, text: str | None, rank: str = PLAIN) -> Fact | None:
    """One line under a label; None where there is nothing to say."""
    return Fact(label, (FactLine(text, rank),)) if text else None


def figure(label: str, text: str, rank: str = PLAIN) -> Fact | None:
    """A number, aligned with those above and below."""
    return Fact(label, (FactLine(text, rank),), figure=True) if text else None


def heading(text: str) -> Fact:
    """A heading among the facts of a section."""
    return Fact("", (FactLine(text, HEAD),))


def as_text(sections: tuple[Section, ...]) -> str:
    """The sections as plain text, for the clipboard."""
    lines: list[str] = []
    for entry in sections:
        lines += ["", entry.title] if lines else [entry.title]
        for one in entry.facts:
            said = "; ".join(line.text for line in one.lines)
            mark = f"{MARKS[one.mark]} " if one.mark else ""
            lines.append(f"{mark}{one.label}: {said}" if one.label else f"{mark}{said}")
    return "\n".join(lines)
