"""Whose documents and which month the window is about; every page follows it."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, Signal

from confere.desktop.core.window_memory import Memory

_NONE = ""
_UNASKED = "?"
_MONTH = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])")


class WindowScope(QObject):
    """A company (CNPJ or CPF; None for all) and a month (`YYYY-MM`; None for every month). Comes back at start."""

    changed = Signal()

    def __init__(self, memory: Memory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._company = memory.text("scope/company", _NONE) or None
        kept = memory.text("scope/month", _NONE)
        self._month = kept if _MONTH.fullmatch(kept) else None

    @property
    def company(self) -> str | None:
        return self._company

    @property
    def month(self) -> str | None:
        return self._month

    @property
    def was_chosen(self) -> bool:
        """Whether anybody ever chose; before that the newest month with documents is a good guess."""
        return self._memory.text("scope/month", _UNASKED) != _UNASKED

    @property
    def first_day(self) -> str | None:
        """The month's first day, `YYYY-MM-DD`."""
        return f"{self._month}-01" if self._month else None

    @property
    def last_day(self) -> str | None:
        """A day that no day of the month comes after; days are compared as text, so every month may end on the 31st."""
        return f"{self._month}-31" if self._month else None

    def choose(self, company: str | None, month: str | None) -> None:
        """Be about this from now on."""
        if (company, month) == (self._company, self._month):
            return
        self._company, self._month = company, month
        self._memory.put("scope/company", company or _NONE)
        self._memory.put("scope/month", month or _NONE)
        self.changed.emit()
