"""The items of a document as a table with their sum below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from confere.app.browsing import ItemRow
from confere.desktop.details import wording
from confere.desktop.details.loaded import Loaded
from confere.desktop.details.trail import Place
from confere.desktop.look.measures import GAP, WIDE_GAP
from confere.desktop.look.theme import Look
from confere.desktop.memory import Memory
from confere.desktop.parts import spreadsheet
from confere.desktop.parts.table import Column, Table
from confere.system import figures
from confere.system.messages import t


class Items(QWidget):
    """Columns are remembered; Ctrl+C copies rows as a spreadsheet takes them."""

    def __init__(self, look: Look, memory: Memory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._place: Place | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.table: Table[tuple[int, ItemRow]] = Table(
            "details/items", t("Items"), _columns(), lambda row: row[0], look, memory
        )
        layout.addWidget(self.table, 1)
        self.sum = QLabel()
        self.sum.setTextFormat(Qt.TextFormat.PlainText)
        self.sum.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        self.sum.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.sum)

    def show_document(self, loaded: Loaded) -> None:
        """Show the items of this one."""
        items = loaded.full.items
        self.table.put(list(enumerate(items)))
        if loaded.place != self._place:
            self._place = loaded.place
            self.table.clearSelection()  # was of the lines of another document
            self.table.scrollToTop()
        if not items and self.table.hasFocus():
            self.setFocus()  # a table that hides would send the keyboard to the other end of the window
        self.table.setVisible(bool(items))
        self.sum.setAlignment(Qt.AlignmentFlag.AlignRight if items else Qt.AlignmentFlag.AlignCenter)
        self.sum.setProperty("rank", "" if items else "muted")
        self.sum.style().polish(self.sum)
        if not items:
            self.sum.setText(t("This document has no items."))
            return
        goods = sum(entry.total or 0 for entry in items)
        count = t("1 item") if len(items) == 1 else t("{count} items", count=figures.count(len(items)))
        self.sum.setText(f"{count} · {figures.money(goods)}")


def _columns() -> tuple[Column[tuple[int, ItemRow]], ...]:
    """What is checked first stands first: a narrow panel shows as far as the total."""
    return (
        Column("number", "#", lambda row: _plain(row[1].number), 36, right=True),
        Column("description", t("Description"), lambda row: row[1].description or "", 152),
        Column(
            "quantity",
            t("Qty"),
            lambda row: wording.number(row[1].quantity),
            50,
            right=True,
            copied=lambda row: wording.plain_number(row[1].quantity),
        ),
        Column(
            "unit_price",
            t("Price"),
            lambda row: wording.number(row[1].unit_price, 2),
            74,
            right=True,
            copied=lambda row: wording.plain_number(row[1].unit_price),
        ),
        Column(
            "total",
            t("Total"),
            lambda row: figures.money(row[1].total),
            92,
            right=True,
            copied=lambda row: spreadsheet.money(row[1].total),
        ),
        Column("unit", t("Unit"), lambda row: row[1].unit or "", 64),
        Column("cfop", "CFOP", lambda row: row[1].cfop or "", 64),
        Column("ncm", "NCM", lambda row: row[1].ncm or "", 96),
        Column("code", t("Code"), lambda row: row[1].code or "", 100),
        Column("gtin", "GTIN", lambda row: row[1].ean or "", 130),
    )


def _plain(number: int | None) -> str:
    return "" if number is None else str(number)
