"""The columns of a short list of findings, as an order and a product have one."""

from __future__ import annotations

from typing import Final

from confere.app.labels.reconciliation_labels import evidence_line, severity_word, state_word
from confere.app.reconciliation.queries import FindingRow, FindingState, Severity
from confere.desktop.widgets.table import TableColumn
from confere.system import formatting
from confere.system.messages import render, t

_SEVERITIES: Final = {Severity.HIGH: "bad", Severity.MEDIUM: "warn", Severity.LOW: "info"}


def finding_columns() -> tuple[TableColumn[FindingRow], ...]:
    return (
        TableColumn("rule", t("Rule"), lambda row: row.finding.rule, 56),
        TableColumn("title", t("Finding"), lambda row: render(row.title), 220),
        TableColumn(
            "severity",
            t("Severity"),
            lambda row: severity_word(row.finding.severity),
            90,
            pill=lambda row: _SEVERITIES[row.finding.severity],
        ),
        TableColumn("state", t("State"), lambda row: state_word(FindingState(row.stored.state)), 120),
        TableColumn("amount", t("Amount"), lambda row: formatting.money(row.finding.amount), 104, right=True),
        TableColumn(
            "evidence",
            t("Evidence"),
            lambda row: evidence_line(row.finding.evidence),
            240,
            stretches=True,
        ),
    )
