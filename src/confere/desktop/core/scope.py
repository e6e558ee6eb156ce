"""Whose documents and which month the window is about; every page follows it."""

from __future__ import annotations

import re
from datetime import date, timedelta

from PySide6.QtCore import QObject, Signal

from confere.desktop.core.window_memory import Memory

_NONE = ""
_UNASKED = "?"
_MONTH = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])")


class WindowScope(QObject):
    """A company (CNPJ or CPF; None for all) and a month (`YYYY-MM`; None for every month). Comes back at start.

    In place of a month there may be a period, from one day to another (`YYYY-MM-DD`); whoever speaks of months only
    then speaks of every one.
    """

    changed = Signal()

    def __init__(self, memory: Memory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._company = memory.text("scope/company", _NONE) or None
        kept = memory.text("scope/month", _NONE)
        self._month = kept if _MONTH.fullmatch(kept) else None
        self._period = None if self._month else _period_of(memory.text("scope/period", _NONE))

    @property
    def company(self) -> str | None:
        return self._company

    @property
    def month(self) -> str | None:
        return self._month

    @property
    def period(self) -> tuple[str, str] | None:
        """The first and the last day of a period that is no month; None where there is none."""
        return self._period

    @property
    def was_chosen(self) -> bool:
        """Whether anybody ever chose; before that the newest month with documents is a good guess."""
        return self._memory.text("scope/month", _UNASKED) != _UNASKED

    @property
    def first_day(self) -> str | None:
        """The first day of the month or period, `YYYY-MM-DD`."""
        if self._period is not None:
            return self._period[0]
        return f"{self._month}-01" if self._month else None

    @property
    def last_day(self) -> str | None:
        """A day that no day of it comes after; days are compared as text, so every month may end on the 31st."""
        if self._period is not None:
            return self._period[1]
        return f"{self._month}-31" if self._month else None

    def has_day(self, day: str) -> bool:
        """Whether this day, `YYYY-MM-DD`, is one of the month or period; every day is where there is none."""
        return (self.first_day or day) <= day <= (self.last_day or day)

    def include(self, day: str) -> None:
        """Be about the month of this day from now on, unless it is one of the days in use."""
        if not self.has_day(day):
            self.choose(self._company, day[:7])

    def choose(self, company: str | None, month: str | None) -> None:
        """Be about this from now on, and about no period."""
        self._take(company, month, None)

    def choose_company(self, company: str | None) -> None:
        """Be about this company from now on, and about the same days as before."""
        self._take(company, self._month, self._period)

    def choose_period(self, first_day: str, last_day: str) -> None:
        """Be about these days from now on; of a whole month, that month."""
        month = first_day[:7]
        whole = first_day == f"{month}-01" and last_day[:7] == month and _is_last_day(last_day)
        self._take(self._company, month if whole else None, None if whole else (first_day, last_day))

    def suggest(self, month: str) -> None:
        """Be about this month as long as nobody chose; it is not remembered."""
        if not self.was_chosen and month != self._month:
            self._month = month
            self.changed.emit()

    def _take(self, company: str | None, month: str | None, period: tuple[str, str] | None) -> None:
        if (company, month, period) == (self._company, self._month, self._period) and self.was_chosen:
            return
        is_other = (company, month, period) != (self._company, self._month, self._period)
        self._company, self._month, self._period = company, month, period
        self._memory.put("scope/company", company or _NONE)
        self._memory.put("scope/month", month or _NONE)
        self._memory.put("scope/period", "/".join(period) if period else _NONE)
        if is_other:
            self.changed.emit()


def _period_of(text: str) -> tuple[str, str] | None:
    """The days as they were remembered; None where that is no longer what we wrote."""
    first, _, last = text.partition("/")
    try:
        begins, ends = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        return None
    return (begins.isoformat(), ends.isoformat()) if begins <= ends else None


def _is_last_day(day: str) -> bool:
    return (date.fromisoformat(day) + timedelta(days=1)).day == 1
