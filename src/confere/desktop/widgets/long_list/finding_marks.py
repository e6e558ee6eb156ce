"""The cell of a list that marks open findings: how many, how severe the gravest is, and which in words."""

from __future__ import annotations

from collections.abc import Sequence

from confere.app.documents.browse import FindingMark
from confere.desktop.theme.severity import SEVERITY_MARKS
from confere.desktop.widgets.long_list.list_columns import Badge
from confere.system.messages import ngettext, render


def badge(marks: Sequence[FindingMark]) -> Badge:
    """The drawing of the gravest of them, which comes first; there is one at least."""
    return Badge(*SEVERITY_MARKS[marks[0].severity], len(marks))


def count_text(marks: Sequence[FindingMark]) -> str:
    """How many there are; empty for none."""
    if not marks:
        return ""
    return ngettext("{count} open finding", "{count} open findings", len(marks))


def rules_text(marks: Sequence[FindingMark]) -> str:
    """Their rules, for a spreadsheet."""
    return " ".join(dict.fromkeys(mark.rule for mark in marks))


def marks_text(marks: Sequence[FindingMark]) -> str:
    """Every one by rule with its severity, one a line; empty for none."""
    from confere.sales.findings import Severity

    if not marks:
        return ""
    from confere.app.labels import reconciliation_labels
    from confere.app.reconciliation.findings import (
        title_of,  # with every rule: only who asks for their titles waits for them
    )

    lines = (
        f"{mark.rule} · {render(title_of(mark.rule))} · {reconciliation_labels.severity_word(Severity(mark.severity))}"
        for mark in marks
    )
    return "\n".join(dict.fromkeys(lines))
