"""The folded end of the summary: every field of the paper that has no place of its own above."""

from __future__ import annotations

from confere.app.documents.view import labelled_fields
from confere.app.documents.view.facts import Fact, Section, ViewOptions, heading, section
from confere.fiscal.detail import Detail, Fields, FreightDetail, NoteDetail
from confere.fiscal.law import field_text
from confere.system.messages import t

FOLD = "fields"


def sections(detail: Detail, options: ViewOptions) -> list[Section]:
    """One section, closed at first. What stands in items is told on their page."""
    found: list[Fact] = []
    for name, fields in _groups(detail):
        facts = labelled_fields.facts(fields, options)
        if facts:
            found += [heading(field_text.group_name(name)), *facts]
    return [section(t("All fields"), *found, fold=FOLD)]


def _groups(detail: Detail) -> list[tuple[str, Fields]]:
    found: list[tuple[str, Fields]] = [("ide", detail.identification)]
    if isinstance(detail, FreightDetail):
        found += [(tax.group, tax.fields) for tax in detail.taxes]
    elif isinstance(detail, NoteDetail):
        found += detail.totals
        found += [("detPag", entry.fields) for entry in detail.payments if entry.fields]
    return [*found, *detail.sections]
