"""The tab Bridge of the page Closing: from the orders of the month to its invoices, each line with what it opens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from confere.app.archive_session import OpenArchive
from confere.app.closing import bridge as use_case
from confere.app.closing.bridge import BridgeShareRow, MonthBridge
from confere.app.labels.labels import number_word
from confere.desktop.closing.bridge_bars import BarDelegate, BridgeRow, rows_of
from confere.desktop.core import clipboard_rows
from confere.desktop.core.file_manager import open_folder
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import button, label
from confere.desktop.widgets.notices import GOOD
from confere.desktop.widgets.table import Table, TableColumn
from confere.errors import ArchiveMissing, ConfereError
from confere.sales.bridge import BridgeCode
from confere.system import formatting
from confere.system.files.safe_names import inside
from confere.system.messages import render, t
from confere.system.settings import PREPARER, REVIEWER

_FOLDER = "closing/bridge_folder"
_SHARES = (3, 2)
_MOST_ROWS = 5_000
_NAME_WIDTH = 150


class BridgeTab(QWidget):
    """`paper_wanted` has the key of a document that is to be opened, `order_wanted` an account and its order's id;
    `unowned_wanted` an account and a marketplace (None: all, empty: none named), whose orders of no company are to be
    listed."""

    paper_wanted = Signal(str)
    order_wanted = Signal(str, str)
    unowned_wanted = Signal(str, object)

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._reader = TopicReader(self, services.reader, "closing bridge", self._failed)
        self._company: str | None = None
        self._month: str | None = None
        self._made: MonthBridge | None = None
        self.account = self._chooser(t("Account"))
        self.marketplace = self._chooser(t("Marketplace"))
        settings = services.workspace.settings
        self.preparer = self._name(t("Prepared by"), settings.get(PREPARER))
        self.reviewer = self._name(t("Reviewed by"), settings.get(REVIEWER))
        self.pdf_button = button(t("Save PDF…"), self.save_pdf, "primary", t("Save the page as a PDF to sign"))
        self._standing = label("", "muted", wraps=True, selectable=True)
        self.unowned = button(
            t("Show the orders of no company"), self._show_unowned, "link", t("List the orders of no company in Orders")
        )
        self._nothing = label("", "muted", wraps=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.lines: Table[BridgeRow] = Table(
            "closing/bridge", t("From orders to invoices"), _line_columns(), lambda row: row.line.code,
            services.look, services.memory, self,
        )  # fmt: skip
        self.lines.setItemDelegateForColumn(1, BarDelegate(services.look, self.lines.rows_model, self.lines))
        self.shares: Table[BridgeShareRow] = Table(
            "closing/bridge_line", t("Orders and documents of the line"), _share_columns(), _identity,
            services.look, services.memory, self,
        )  # fmt: skip
        self.lines.chosen.connect(self._show_line)
        self.shares.entered_row.connect(self._open)
        self._lay_out()
        self._say(t("Choose a month above: the bridge is one month's."))

    def show_scope(self, company: str | None, month: str | None) -> None:
        """Ask for the page of this company (None for all) and month (`YYYY-MM`)."""
        if (company, month) != (self._company, self._month):
            self._say("")
        self._company, self._month = company, month
        opened = self._services.opened
        if month is None:
            self._say(
                t("Choose a month above: the bridge is one month's.")
                if opened.exists
                else t("There is nothing to close yet.")
            )
            return
        self._reader.ask("accounts", lambda: use_case.accounts_with(opened, company), self._have_accounts)

    def save_pdf(self) -> None:
        """Ask where the page goes, and write it with the names as they stand."""
        made = self._made
        if made is None:
            return
        memory, scope = self._services.memory, made.page.scope
        folder = memory.text(_FOLDER) or str(self._services.workspace.home.exports)
        stem = "-".join(filter(None, (t("bridge"), made.facts.account, scope.company, scope.marketplace, scope.period)))
        name, _ = QFileDialog.getSaveFileName(
            self, t("Save PDF"), str(inside(Path(folder), f"{stem}.pdf")), f"{t('PDF files')} (*.pdf)"
        )
        if not name:
            return
        path = Path(name) if name.lower().endswith(".pdf") else Path(f"{name}.pdf")
        memory.put(_FOLDER, str(path.parent))
        signature = use_case.signature_of(
            self._services.workspace.settings, self.preparer.text().strip(), self.reviewer.text().strip()
        )
        self._reader.write(lambda: use_case.write_signed(made, signature, path), lambda _: self._saved(path))

    # -- answers -----------------------------------------------------------------------------------------

    def _have_accounts(self, names: tuple[str, ...]) -> None:
        chosen = self.account.currentData()
        _fill(self.account, [(name, name) for name in names], chosen)
        self.account.setVisible(len(names) > 1)
        if names:
            self._ask_page()
        else:
            self._say(t("No account holds this company: the bridge needs an account's orders."))

    def _ask_page(self) -> None:
        opened, company, month = self._services.opened, self._company, self._month
        account, marketplace = self.account.currentData(), self.marketplace.currentData()
        if account is None or month is None:
            return
        self._reader.ask("page", _question(opened, account, month, company, marketplace), self._have)

    def _have(self, made: MonthBridge) -> None:
        self._made = made
        known = [(name or t("None named"), name or use_case.NONE_NAMED) for name in made.marketplaces]
        asked = self.marketplace.currentData()
        _fill(self.marketplace, [(t("All marketplaces"), None), *known], asked)
        if self.marketplace.currentData() != asked:  # the one that was chosen has nothing here
            self._ask_page()
            return
        self.lines.put(rows_of(made))
        self._standing.setText(" ".join(map(render, made.standing)))
        self.unowned.setVisible(made.facts.of_no_company[0] > 0)
        self._layers.setCurrentIndex(1)
        self.pdf_button.setEnabled(True)
        self.lines.choose_first()

    def _show_line(self, row: BridgeRow | None) -> None:
        made = self._made
        if row is None or made is None:
            self.shares.put(())
            return
        code = row.line.code
        self._reader.ask("line", lambda: _first(made, code), self._have_line)

    def _have_line(self, rows: Sequence[BridgeShareRow]) -> None:
        self.shares.put(rows)

    def _open(self, row: BridgeShareRow) -> None:
        """The document of a share, else its order."""
        made = self._made
        if row.paper is not None and row.paper.key:
            self.paper_wanted.emit(row.paper.key)
        elif row.order is not None and made is not None:
            self.order_wanted.emit(made.facts.account, row.order.hub_id)

    def _show_unowned(self) -> None:
        if self._made is not None:
            self.unowned_wanted.emit(self._made.facts.account, self._made.page.scope.marketplace)

    def _saved(self, path: Path) -> None:
        self._services.notices.add(
            GOOD,
            t("Saved to {path}.", path=str(path)),
            topic=f"saved {path}",
            action=(t("Open the folder"), lambda: open_folder(path.parent)),
        )

    def _failed(self, error: Exception) -> None:
        """What the account lacks for a bridge is said in its place."""
        if isinstance(error, ArchiveMissing):
            self._say(t("There is nothing here yet."))
        elif isinstance(error, ConfereError) and error.exit_code == 2:
            self._say(f"{render(error.what)} {render(error.remedy) if error.remedy else ''}".strip())
        else:
            self._services.faults.tell(error)

    def _say(self, words: str) -> None:
        self._made = None
        self.lines.put(())
        self.shares.put(())
        self._nothing.setText(words)
        self._layers.setCurrentIndex(0)
        self.pdf_button.setEnabled(False)

    # -- parts -------------------------------------------------------------------------------------------

    def _chooser(self, name: str) -> QComboBox:
        made = QComboBox()
        made.setAccessibleName(name)
        made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        made.activated.connect(lambda _: self._ask_page())
        return made

    def _name(self, title: str, text: str) -> QLineEdit:
        made = QLineEdit(text)
        made.setPlaceholderText(title)
        made.setAccessibleName(title)
        made.setMaxLength(80)
        made.setFixedWidth(_NAME_WIDTH)
        made.editingFinished.connect(self._keep_names)
        return made

    def _keep_names(self) -> None:
        settings = self._services.workspace.settings
        for setting, field in ((PREPARER, self.preparer), (REVIEWER, self.reviewer)):
            if settings.get(setting) != field.text().strip():
                settings.set(setting, field.text().strip())
                settings.save()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, GAP)
        head.setSpacing(GAP)
        for chooser in (self.account, self.marketplace):
            head.addWidget(chooser)
        self.account.hide()
        head.addStretch(1)
        for made in (self.preparer, self.reviewer, self.pdf_button):
            head.addWidget(made)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.shares, 1)
        self._standing.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        column.addWidget(self._standing)
        foot = QHBoxLayout()
        foot.setContentsMargins(WIDE_GAP, 0, WIDE_GAP, GAP)
        foot.addWidget(self.unowned)
        foot.addStretch(1)
        column.addLayout(foot)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.lines)
        self.splitter.addWidget(below)
        for number, share in enumerate(_SHARES):
            self.splitter.setStretchFactor(number, share)
        memory = self._services.memory
        memory.restore_splitter("closing/bridge", self.splitter)
        self.splitter.splitterMoved.connect(lambda *_: memory.keep_splitter("closing/bridge", self.splitter))
        empty = QWidget()
        QVBoxLayout(empty).addWidget(self._nothing)
        layers = QWidget()
        self._layers = QStackedLayout(layers)
        self._layers.addWidget(empty)
        self._layers.addWidget(self.splitter)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(layers, 1)


def _question(
    opened: OpenArchive, account: str, month: str, company: str | None, marketplace: str | None
) -> Callable[[], MonthBridge]:
    """One without anything of the marketplace is asked for again without it."""

    def ask() -> MonthBridge:
        known = use_case.month_bridge(opened, account, month, company)
        if marketplace is None or (marketplace if marketplace != use_case.NONE_NAMED else "") not in known.marketplaces:
            return known
        return use_case.month_bridge(opened, account, month, company, marketplace)

    return ask


def _first(made: MonthBridge, code: BridgeCode) -> list[BridgeShareRow]:
    return [row for _, row in zip(range(_MOST_ROWS), made.rows(code), strict=False)]


def _fill(chooser: QComboBox, entries: Sequence[tuple[str, str | None]], chosen: str | None) -> None:
    """Offer these; what is chosen stays so where it is among them."""
    if [(chooser.itemText(row), chooser.itemData(row)) for row in range(chooser.count())] != list(entries):
        chooser.clear()
        for word, value in entries:
            chooser.addItem(word, value)
    values = [value for _, value in entries]
    chooser.setCurrentIndex(values.index(chosen) if chosen in values else 0)


def _line_columns() -> tuple[TableColumn[BridgeRow], ...]:
    return (
        TableColumn("line", t("Line"), lambda row: row.label, 240),
        TableColumn(
            "bar", t("Course"), lambda _: "", 120, stretches=True, tip=lambda row: formatting.money(row.line.amount)
        ),
        TableColumn("orders", t("Orders"), lambda row: _count(row.line.orders), 80, right=True),
        TableColumn("documents", t("Documents"), lambda row: _count(row.line.documents), 96, right=True),
        TableColumn(
            "amount", t("Amount"), lambda row: formatting.money(row.line.amount), 130, right=True,
            copied=lambda row: clipboard_rows.money(row.line.amount),
        ),
    )  # fmt: skip


def _share_columns() -> tuple[TableColumn[BridgeShareRow], ...]:
    return (
        TableColumn("order", t("Order"), lambda row: row.share.order_id or "", 110),
        TableColumn("day", t("Created"), lambda row: formatting.date(row.order.created_on) if row.order else "", 92,
                    rank=1),
        TableColumn(
            "order_total", t("Order's total"), lambda row: formatting.money(row.order.total) if row.order else "", 110,
            right=True,
        ),
        TableColumn("document", t("Document"), _number, 100, copied=lambda row: row.share.key or ""),
        TableColumn("issued", t("Issued"), lambda row: formatting.date(row.paper.issued_on) if row.paper else "", 92,
                    rank=1),
        TableColumn(
            "paper_total", t("Document's total"), lambda row: formatting.money(row.paper.total) if row.paper else "",
            120, right=True,
        ),
        TableColumn("why", t("Why"), lambda row: render(row.share.reason) if row.share.reason else "", 200,
                    stretches=True),
        TableColumn(
            "amount", t("Amount"), lambda row: formatting.money(row.share.amount), 130, right=True,
            copied=lambda row: clipboard_rows.money(row.share.amount),
        ),
    )  # fmt: skip


def _number(row: BridgeShareRow) -> str:
    return "" if row.paper is None else number_word(row.paper.series, row.paper.number)


def _count(number: int) -> str:
    return formatting.count(number) if number else ""


def _identity(row: BridgeShareRow) -> tuple[str | None, str | None, int]:
    return row.share.order_id, row.share.key, row.share.amount
