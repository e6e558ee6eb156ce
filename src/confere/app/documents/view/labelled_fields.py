"""Fields as the paper wrote them, as facts: with the names and words that people have for tags and codes."""

from __future__ import annotations

from confere.app.documents.view import hidden_persons
from confere.app.documents.view.facts import Fact, FactLine, ViewOptions
from confere.fiscal.detail import Fields
from confere.fiscal.law import field_text


def facts(fields: Fields, options: ViewOptions) -> tuple[Fact, ...]:
    """One fact a field; where two would have the same name, the groups of each tell them apart."""
    shown = fields[: options.fields]
    shown = hidden_persons.hide(shown) if options.hidden else shown
    labelled = field_text.labelled((path, text) for path, text in shown if text)
    rest = options.rest(len(fields), options.fields)
    return (*(Fact(label, (FactLine(text),)) for label, text in labelled), *((rest,) if rest is not None else ()))
