"""What must be kept until when, by company and year; nothing is removed because a day passed."""

from __future__ import annotations

from datetime import date

from PySide6.QtWidgets import QWidget

from confere.app.labels import labels
from confere.app.maintenance import keeping
from confere.app.maintenance.keeping import Keeping, KeptLine
from confere.desktop.services import Services
from confere.desktop.theme.measures import ROW
from confere.desktop.widgets.form import FormCard, text
from confere.desktop.widgets.table import Table, TableColumn
from confere.system import formatting
from confere.system.messages import render, t

_ROWS = 6  # that are seen without scrolling


class KeepingCard(FormCard):
    """A table, asked for anew when the archive changes."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(t("Kept until when"), parent)
        self._services = services
        self.topic = f"settings.keeping.{id(self)}"
        self.body.addWidget(
            text(
                t(
                    "The tax code asks for five years from the first day of the year after the issue (CTN, arts. 173, "
                    "174 and 195; Ajuste SINIEF 07/05, cl. 10), Ajuste SINIEF 2/2025 for 132 months. Confere removes "
                    "nothing by itself, whatever day has passed."
                ),
                "muted",
            )
        )
        self.table: Table[KeptLine] = Table(
            "settings/keeping",
            t("Kept until when"),
            _columns(),
            lambda line: (line.held_for.company, line.held_for.year),
            services.look,
            services.memory,
            self,
        )
        self.table.offer_columns()
        self.table.setMinimumHeight(ROW * (_ROWS + 1))
        self.body.addWidget(self.table)

    def ask(self) -> None:
        """Look again; the archive is read in the background."""
        opened = self._services.opened

        def look() -> Keeping | None:
            if not opened.exists:
                return None
            with opened.reading() as transaction:
                return keeping.of_transaction(transaction)

        self._services.reader.ask(self.topic, look, self._show)

    def _show(self, found: Keeping | None) -> None:
        self.table.put(() if found is None else found.lines)
        self.table.setVisible(found is not None and bool(found.lines))
        if found is not None:
            self.table.setToolTip("")
            self.table.setAccessibleDescription("; ".join(render(term.name) for term in found.terms))


def _columns() -> tuple[TableColumn[KeptLine], ...]:
    count = formatting.count
    return (
        TableColumn("company", t("Company"), _company, 140, stretches=True),
        TableColumn("year", t("Year"), lambda line: line.held_for.year or t("no date"), 52),
        TableColumn("documents", t("Documents"), lambda line: count(line.held_for.documents), 95, right=True),
        TableColumn("events", t("Events"), lambda line: count(line.held_for.events), 60, right=True),
        TableColumn("size", t("Size"), lambda line: formatting.size(line.held_for.size), 72, right=True, shown=False),
        TableColumn("tax_code", t("Until (CTN)"), lambda line: _day(line.tax_code), 95),
        TableColumn("adjustment", t("Until (Ajuste 2/2025)"), lambda line: _day(line.adjustment), 150),
        TableColumn("findings", t("Findings"), lambda line: count(line.held_for.open_findings), 80, right=True),
    )


def _company(line: KeptLine) -> str:
    return t("no account") if line.held_for.company is None else labels.tax_id_word(line.held_for.company)


def _day(day: date | None) -> str:
    return formatting.date(day.isoformat()) if day is not None else ""
