"""The dialog that asks for a period that is no month: from one day to another."""

from __future__ import annotations

from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QDateEdit, QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.desktop.widgets.form import FormField
from confere.errors import NC_
from confere.system.messages import language, t

_ISO = Qt.DateFormat.ISODate
_EARLIEST = QDate(2006, 1, 1)  # no electronic document is older


class PeriodDialog(QDialog):
    """`days` are the first and the last day, `YYYY-MM-DD`, once it was accepted."""

    def __init__(self, first_day: str | None, last_day: str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(t("Other period"))
        today = QDate.currentDate()
        self.first = _field(QDate.fromString(first_day or "", _ISO), QDate(today.year(), 1, 1))
        last = QDate.fromString(last_day or "", _ISO)
        if not last.isValid() and last_day:  # the 31st of a month that has none
            last = QDate.fromString(f"{last_day[:7]}-01", _ISO).addMonths(1).addDays(-1)
        self.last = _field(last, today)
        self.wrong = label("", "bad", wraps=True)
        self.use = QPushButton(t("Show this period"))
        self.buttons = buttons_of(self, self.use)
        row = QHBoxLayout()
        row.setSpacing(WIDE_GAP)
        row.addWidget(FormField(t(NC_("period", "From")), self.first))
        row.addWidget(FormField(t(NC_("period", "To")), self.last))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(GAP + 4)
        layout.addLayout(row)
        layout.addWidget(
            label(
                t("Documents, orders and the overview show these days. Reconcile and Closing speak of whole months."),
                "muted",
                wraps=True,
            )
        )
        layout.addWidget(self.wrong)
        layout.addWidget(self.buttons)
        for field in (self.first, self.last):
            field.dateChanged.connect(self._check)
        self._check()
        self.first.setFocus()

    @property
    def days(self) -> tuple[str, str]:
        """What the fields say."""
        return self.first.date().toString(_ISO), self.last.date().toString(_ISO)

    def _check(self) -> None:
        is_wrong = self.first.date() > self.last.date()
        self.wrong.setText(t("It ends before it begins.") if is_wrong else "")
        self.use.setEnabled(not is_wrong)


def _field(day: QDate, otherwise: QDate) -> QDateEdit:
    field = QDateEdit(day if day.isValid() else otherwise)
    field.setCalendarPopup(True)
    field.setMinimumDate(_EARLIEST)
    field.setDisplayFormat("yyyy-MM-dd" if language() == "en" else "dd/MM/yyyy")
    return field
