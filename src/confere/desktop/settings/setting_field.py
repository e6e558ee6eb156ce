"""A setting in a field: what is typed is kept at once, and what makes no sense is said under it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget

from confere.desktop.services import Services
from confere.desktop.widgets.form import FormField
from confere.errors import ConfereError
from confere.system.messages import language, t
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


def refusal(setting: Setting[Any], value: object) -> str:
    """What is wrong with the value, or empty."""
    try:
        setting.accept(value)
    except ValueError:
        return t("{value} cannot be used. {label}.", value=value, label=setting.label)
    return ""


def keep(services: Services, setting: Setting[Any], value: object) -> str:
    """Use and save the value; says what is wrong with it, or nothing. What cannot be saved is told as a fault."""
    wrong = refusal(setting, value)
    if wrong:
        return wrong
    settings = services.workspace.settings
    settings.set(setting, value)
    try:
        settings.save()
    except ConfereError as error:
        services.faults.tell(error)
    return ""


def read_decimal(typed: str) -> float:
    """A number with a comma or a point."""
    return float(typed.strip().replace(",", "."))


def read_whole(typed: str) -> int:
    return int(typed.strip())
