"""Fields as the paper wrote them, with the names that people have for their tags and codes."""

from __future__ import annotations

import re
from collections import Counter

from confere.app.documents.view import detail_text, hidden_persons
from confere.app.documents.view.facts import MUTED, Fact, FactLine
from confere.fiscal.detail import Fields
from confere.fiscal.law import codes
from confere.system import formatting
from confere.system.messages import render, t

MOST = 400
"""Fields of one group that are shown; the XML page has them all."""
_NUMBER = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,10}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}(?:Z|[+-][0-9:]{4,6})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def facts(fields: Fields, hidden: bool) -> tuple[Fact, ...]:
    """One fact a field; where two would have the same name, the group of each is told too."""
    shown = hidden_persons.hide(fields[:MOST]) if hidden else fields[:MOST]
    names = Counter(name(path) for path, _ in shown)
    found = tuple(
        Fact(_told_apart(path) if names[name(path)] > 1 else name(path), (FactLine(value(path, text)),))
        for path, text in shown
        if text
    )
    if len(fields) > MOST:
        rest = t("… and {count} more; the XML page has each.", count=formatting.count(len(fields) - MOST))
        return (*found, Fact("", (FactLine(rest, MUTED),)))
    return found


def name(path: str) -> str:
    """What a field is called; its tag where it has no name here."""
    known = codes.label(path)
    return render(known) if known is not None else tag_of(path)


def group_name(group: str) -> str:
    """The heading of a group of fields, such as `ICMSTot`."""
    return t("Identification") if group == "ide" else name(group)


def value(path: str, text: str) -> str:
    """A field's text as people read it: numbers and moments in their manner, codes with their meaning."""
    known = codes.word(tag_of(path), text)
    if known is not None:
        return f"{text} – {render(known)}"
    if _NUMBER.fullmatch(text):
        return detail_text.number(text, 2)
    if _MOMENT.fullmatch(text):
        return formatting.moment(text)
    return formatting.date(text) if _DAY.fullmatch(text) else text


def word(tag: str, code: str | None) -> str:
    """What a code means, with the code where nobody named it; empty for none."""
    known = codes.word(tag, code)
    return render(known) if known is not None else code or ""


def tag_of(path: str) -> str:
    return path.rpartition("/")[2].rpartition("@")[2]


def _told_apart(path: str) -> str:
    above = path.rpartition("/")[0].rpartition("/")[2]
    return f"{name(path)} ({above})" if above else name(path)
