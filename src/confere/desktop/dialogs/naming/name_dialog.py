"""The small dialog that asks for a name: of a tag, or a new one of something that has one."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget

from confere.app.documents.organize import names
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.desktop.widgets.form import FormField
from confere.errors import UsageFault
from confere.system.messages import render, t

_WIDTH = 360


class NameDialog(QDialog):
    """Accepts only what can be a name; says under the field what is wrong."""

    def __init__(
        self, title: str, does: str, name: str = "", *, in_searches: bool = False, parent: QWidget | None = None
    ) -> None:
        """`does` is what the button says; `in_searches` the rules of names that stand in the search language."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self._in_searches = in_searches
        self.edit = QLineEdit(name)
        self.edit.setMaxLength(names.LONGEST)
        self.edit.selectAll()
        self.field = FormField(t("Name"), self.edit)
        self.button = QPushButton(does)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(WIDE_GAP)
        layout.addWidget(self.field)
        layout.addWidget(buttons_of(self, self.button))
        self.setMinimumWidth(_WIDTH)
        self.edit.textChanged.connect(self._look)
        self._look()
        self.edit.setFocus()

    @property
    def name(self) -> str:
        """What was typed, as it is kept."""
        return names.checked(self.edit.text(), in_searches=self._in_searches)

    def _look(self) -> None:
        problem = ""
        try:
            names.checked(self.edit.text(), in_searches=self._in_searches)
        except UsageFault as fault:
            problem = render(fault.what)
        self.button.setEnabled(not problem)
        self.field.tell(problem if self.edit.text().strip() else "")  # an empty field needs no reproach
