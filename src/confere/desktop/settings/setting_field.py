"""A setting in a field: what is typed is kept at once, and what makes no sense is said under it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget

from confere.desktop.services import Services, keep
from confere.desktop.widgets.form import FormField
from confere.system.messages import language
from confere.system.settings import Setting


class KeptText(FormField):
    """A line of text for one setting. `read` makes the value of it, or raises `ValueError`."""

    def __init__(
        self,
        services: Services,
        setting: Setting[Any],
        edit: QLineEdit,
        title: str,
        hint: str,
        read: Callable[[str], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, edit, hint, parent)
        self._services = services
        self._setting = setting
        self._read = read
        self.edit = edit
        edit.setMaximumWidth(160)
        edit.setText(self._shown())
        edit.textEdited.connect(self._edited)
        edit.editingFinished.connect(self._finished)

    def _edited(self, typed: str) -> None:
        self.tell(keep(self._services, self._setting, self._value(typed)))

    def _finished(self) -> None:
        """Written as we write it, once the person has left the field; what is wrong stays to be mended."""
        if not self.problem:
            self.edit.setText(self._shown())

    def _value(self, typed: str) -> object:
        try:
            return self._read(typed)
        except ValueError:
            return typed

    def _shown(self) -> str:
        settings = self._services.workspace.settings
        value = settings.get(self._setting)
        shown = f"{value:g}"
        return shown if language() == "en" else shown.replace(".", ",")


def read_decimal(typed: str) -> float:
    """A number with a comma or a point."""
    return float(typed.strip().replace(",", "."))


def read_whole(typed: str) -> int:
    return int(typed.strip())
