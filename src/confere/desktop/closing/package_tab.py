"""The tab Package: whether the month may be handed over, what a package would hold, and those written before."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from confere.app.labels.labels import month_word, tax_id_word
from confere.app.packages import verdict, written
from confere.app.packages.export import ExportChoice, PackageOptions
from confere.app.packages.verdict import ExportVerdict
from confere.app.packages.written import PastPackage
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.core.file_manager import open_folder
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.dialogs.package.verdict_card import AMBER, PLAIN, GroupTable, VerdictCard
from confere.desktop.jobs.job import JobKind
from confere.desktop.jobs.job_requests import sync_order
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.table import Table, TableColumn
from confere.errors import ArchiveMissing, ConfereError
from confere.fiscal.periods import in_brasilia
from confere.system import formatting
from confere.system.messages import t

_LEAST = 56  # pixels of a table
_SHORT_HASH = 16  # characters that are shown; the tip has all


class PackageTab(QWidget):
    """`export_wanted`: the export dialog shall be opened, of the window's company and month."""

    export_wanted = Signal()

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._reader = TopicReader(self, services.reader, "package", self._failed)
        self._scope: tuple[str | None, str | None] = (None, None)
        self.card = VerdictCard(services.look)
        self.card.fetch_wanted.connect(self._fetch)
        self.groups = GroupTable("closing/groups", services.look, services.memory)
        self.packages: Table[PastPackage] = Table(
            "closing/packages",
            t("Packages written before"),
            _columns(),
            lambda row: (row.at, row.path),
            services.look,
            services.memory,
        )
        self.packages.chosen.connect(self._chosen)
        self.packages.entered_row.connect(lambda _: self._open())
        self.write = QPushButton(t("Write package…"))
        self.write.setProperty("look", "primary")
        self.write.clicked.connect(lambda: self.export_wanted.emit())
        self.open = QPushButton(t("Open the folder"))
        self.open.clicked.connect(self._open)
        self.none = label(t("No package of this month was written yet."), "muted")
        self._lay_out()
        self._chosen(None)

    def show_scope(self, company: str | None, month: str | None) -> None:
        """Look at the month in the background; without one there is no package to speak of."""
        if (company, month) != self._scope:
            self._scope = (company, month)
            self.groups.put(())
            self.card.tell(t("Looking at the archive…"))
        opened = self._services.opened
        self._reader.ask("written", lambda: written.written(opened, company, month), self._have_written)
        if month is None:
            self._reader.forget("verdict")
            can_choose = t("Choose a month: a package is of one.")
            self.card.tell(can_choose if opened.exists else t("There is nothing to export yet: sync or import first."))
            return
        choice = ExportChoice(PackageOptions(month), company)
        self._reader.ask("verdict", lambda: verdict.verdict(opened, choice), self._have_verdict, self._no_verdict)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(label(t("Packages written before"), "heading"))
        buttons.addStretch(1)
        buttons.addWidget(self.open)
        buttons.addWidget(self.write)
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        column.setSpacing(GAP + 2)
        for table in (self.groups, self.packages):  # on a small screen they leave the verdict its lines
            table.setMinimumHeight(_LEAST)
        column.addWidget(self.card)
        column.addWidget(self.groups, 3)
        column.addLayout(buttons)
        column.addWidget(self.none)
        column.addWidget(self.packages, 2)
        self.packages.hide()
        column.addStretch(0)

    def _have_verdict(self, found: ExportVerdict) -> None:
        self.card.fetch.setEnabled(not self._services.jobs.has(JobKind.SYNC))
        self.card.show_verdict(found)
        self.groups.put(found.groups)

    def _have_written(self, found: Sequence[PastPackage]) -> None:
        self.packages.put(found)
        self.packages.setVisible(bool(found))
        self.none.setVisible(not found)
        self._chosen(self.packages.current)

    def _no_verdict(self, error: Exception) -> None:
        """That nobody has documents in the month is an answer too."""
        self.groups.put(())
        if isinstance(error, ArchiveMissing):
            self.card.tell(t("There is nothing to export yet: sync or import first."))
            return
        fault = of_exception(error)
        self.card.tell(f"{fault.what} {fault.remedy}".strip(), kind=AMBER if isinstance(error, ConfereError) else PLAIN)
        if fault.is_bug:
            self._services.faults.tell(error)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)

    def _fetch(self) -> None:
        """Bring what lacks; the page asks again when the archive has changed."""
        self.card.fetch.setEnabled(False)
        if not self._services.jobs.has(JobKind.SYNC):
            self._services.jobs.start(sync_order())

    def _chosen(self, row: PastPackage | None) -> None:
        self.open.setEnabled(row is not None and row.folder_exists)

    def _open(self) -> None:
        row = self.packages.current
        if row is not None and row.folder_exists:
            open_folder(row.path.parent)


def _columns() -> tuple[TableColumn[PastPackage], ...]:
    return (
        TableColumn("at", t("When"), lambda row: formatting.moment(in_brasilia(row.at)), 140),
        TableColumn("company", t("Company"), lambda row: tax_id_word(row.company), 150, rank=1),
        TableColumn("month", t("Month"), lambda row: month_word(row.month), 130),
        TableColumn("file", t("File"), lambda row: row.path.name, 260, stretches=True, tip=lambda row: str(row.path),
            copied=lambda row: str(row.path)),
        TableColumn("there", t("Still there"), _there, 110, pill=lambda row: "neutral" if row.exists else "warn"),
        TableColumn("sha256", "SHA-256", lambda row: (row.sha256 or "")[:_SHORT_HASH], 150, rank=2,
            tip=lambda row: row.sha256 or "", copied=lambda row: row.sha256 or ""),
    )  # fmt: skip


def _there(row: PastPackage) -> str:
    return t("there") if row.exists else t("not there any more")
