"""The tables of a push: what would be created and changed by kind, and the rows that are not well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from confere.app.catalog.catalog_words import KINDS
from confere.desktop.jobs.catalog_results import PlannedPush, PushJobResult
from confere.desktop.widgets.table import TableColumn
from confere.errors import Message, message
from confere.system import formatting
from confere.system.messages import render, t

_OUTCOMES: Final[Mapping[str, Message]] = {
    "": message("to be corrected"),
    "refused": message("refused by the hub"),
    "failed": message("not known whether it arrived"),
    "not_sent": message("not sent"),
}


class PlannedRow(NamedTuple):
    """How many of a kind are created and changed."""

    kind: str
    created: int
    changed: int


class RowReport(NamedTuple):
    """A row that is not well: `outcome` is empty where it was not to be sent, `where` its column or its SKU."""

    line: int
    where: str
    outcome: str
    why: str


def planned_rows(planned: PlannedPush) -> tuple[PlannedRow, ...]:
    """The kinds of which there is something to send, in the order in which they are sent."""
    every = (PlannedRow(kind, count.created, count.changed) for kind, count in planned._asdict().items())
    return tuple(row for row in every if row.created or row.changed)


def report_rows(result: PushJobResult) -> tuple[RowReport, ...]:
    """What is wrong with rows, or what of them did not go well."""
    wrong = [RowReport(row.line, row.column, "", f"{row.reason} {row.remedy}".strip()) for row in result.faults]
    bad = [
        RowReport(row.line, row.code, row.outcome, " · ".join(filter(None, (row.hub_words, row.reason))))
        for row in result.rows
    ]
    return (*wrong, *bad)


def planned_columns() -> tuple[TableColumn[PlannedRow], ...]:
    return (
        TableColumn("kind", t("Kind"), lambda row: render(KINDS[row.kind]), 200, stretches=True),
        TableColumn("created", t("To create"), lambda row: _count(row.created), 120, right=True),
        TableColumn("changed", t("To change"), lambda row: _count(row.changed), 120, right=True),
    )


def report_columns() -> tuple[TableColumn[RowReport], ...]:
    return (
        TableColumn("line", t("Row of the file"), lambda row: str(row.line), 110, right=True),
        TableColumn("where", t("Column or SKU"), lambda row: row.where, 150),
        TableColumn(
            "outcome",
            t("Outcome"),
            lambda row: render(_OUTCOMES.get(row.outcome, Message(row.outcome))),
            170,
            pill=lambda row: "bad" if row.outcome == "refused" else "warn",
        ),
        TableColumn("why", t("Why"), lambda row: row.why, 300, stretches=True),
    )


def _count(number: int) -> str:
    return formatting.count(number) if number else ""
