"""The dialog "save this search": its name, and whether it keeps to the company and the month in use."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget

from confere.app.documents.organize import names
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.desktop.widgets.form import FormField, text
from confere.errors import UsageFault
from confere.system.messages import render, t

_WIDTH = 420


class SaveSearchDialog(QDialog):
    """`taken` are the names that there are: of those the button says "Replace"."""

    def __init__(
        self, proposed: str, taken: list[str], *, company: str, month: str, is_any: bool, parent: QWidget | None = None
    ) -> None:
        """`company` and `month` are what is in use, in words; empty for all. `is_any`: words or a filter are set."""
        super().__init__(parent)
        self.setWindowTitle(t("Save this search"))
        self._taken = {names.compared(name): name for name in taken}
        self._is_any = is_any
        self.edit = QLineEdit(proposed)
        self.edit.setMaxLength(names.LONGEST)
        self.edit.selectAll()
        self.field = FormField(t("Name"), self.edit)
        self.company = QCheckBox(t("Only of {company}", company=company.replace("&", "&&")))
        self.company.setVisible(bool(company))
        self.month = QCheckBox(t("Only {month}", month=month))
        self.month.setVisible(bool(month))
        self.button = QPushButton(t("Save"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(GAP)
        layout.addWidget(text(t("The words and filters of the list stand in the sidebar under this name."), "muted"))
        layout.addWidget(self.field)
        layout.addWidget(self.company)
        layout.addWidget(self.month)
        layout.addSpacing(GAP)
        layout.addWidget(buttons_of(self, self.button))
        self.setMinimumWidth(_WIDTH)
        self.edit.textChanged.connect(self._look)
        self.company.toggled.connect(self._look)
        self.month.toggled.connect(self._look)
        self._look()
        self.edit.setFocus()

    @property
    def name(self) -> str:
        """What was typed, as it is kept."""
        return names.checked(self.edit.text())

    @property
    def replaces(self) -> bool:
        """Whether the name stands for another search until now."""
        return names.compared(self.edit.text()) in self._taken

    def _look(self) -> None:
        problem = ""
        try:
            names.checked(self.edit.text())
        except UsageFault as fault:
            problem = render(fault.what)
        nothing = not (self._is_any or self.company.isChecked() or self.month.isChecked())
        self.button.setEnabled(not problem and not nothing)
        self.button.setText(t("Replace") if self.replaces else t("Save"))
        if nothing:
            problem = t("Nothing is looked for: type words, choose a filter, or keep to the company or month.")
        elif self.replaces:
            problem = t("There is a saved search of this name; it is replaced.")
        self.field.tell(problem if self.edit.text().strip() or nothing else "")
