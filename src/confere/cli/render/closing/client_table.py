"""The office's clients for people: a table, in the order that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from confere.app.labels.checklist_labels import findings_text
from confere.app.labels.client_labels import last_sync_text, number_text, situation
from confere.app.labels.labels import month_word
from confere.cli import tables
from confere.cli.output import Output
from confere.cli.render import labels
from confere.system import formatting
from confere.system.messages import t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.overview.clients import ClientRow, Clients


def listed(out: Output, found: Clients, rows: Sequence[ClientRow]) -> None:
    """One line a client."""
    if not found.rows:
        out.print(t("There is no company here: connect an account or import documents."))
        return
    if not rows:
        out.print(t("No client matches."))
        return
    out.print(month_word(found.month) if found.month else t("Every month"))
    headers = [
        *(t("Company"), t("CNPJ"), t("Situation"), t("Last sync"), t("Documents"), t("Missing XML")),
        *(t("Findings"), t("Package"), t("Closed")),
    ]
    lines = [
        [
            plain(row.name or "—"),
            labels.tax_id_word(row.tax_id),
            situation(row, of_month=found.month is not None),
            last_sync_text(row),
            formatting.count(row.documents),
            number_text(row.missing),
            findings_text(row.findings),
            formatting.moment(row.packaged_at) or "—",
            formatting.moment(row.closed_at) or "—",
        ]
        for row in rows
    ]
    out.print(tables.table(headers, lines, right=(4, 5)))
