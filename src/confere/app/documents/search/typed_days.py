"""Reads days and months as people write them: `27/10/2026`, `27/10`, `2026-10-27`, `out/2026`, `outubro`."""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from datetime import date, datetime
from typing import Final

from confere.fiscal.periods import BRASILIA
from confere.system.plain_text import folded

Stretch = tuple[date, date]
"""The first and the last day."""

_YEARS: Final = range(1990, 2200)
_NUMERIC: Final = re.compile(
    r"(?P<y>\d{4})-(?P<m>\d{1,2})(?:-(?P<d>\d{1,2}))?"
    r"|(?P<D>\d{1,2})[/.-](?P<M>\d{1,2})[/.-](?P<Y>\d{4}|\d{2})"
    r"|(?P<monthly>\d{1,2})[/.-](?P<of>\d{4})"
    r"|(?P<day>\d{1,2})/(?P<month>\d{1,2})",
    re.ASCII,
)
_YEAR: Final = re.compile(r"\d{4}", re.ASCII)
_NAMED: Final = re.compile(r"(?P<name>[^\W\d_]+)\.?(?:(?:\s*/\s*|\s+de\s+|\s+)(?P<year>\d{4}|\d{2}))?")
_MONTHS: Final = {  # the first three letters in Portuguese, English and Spanish
    "jan": 1, "ene": 1, "fev": 2, "feb": 2, "mar": 3, "abr": 4, "apr": 4, "mai": 5, "may": 5, "jun": 6, "jul": 7,
    "ago": 8, "aug": 8, "set": 9, "sep": 9, "out": 10, "oct": 10, "nov": 11, "dez": 12, "dec": 12, "dic": 12,
}  # fmt: skip
NAMES_OF_MONTHS: Final = (
    "jan(?:eiro|uary)?|enero?|fev(?:ereiro)?|feb(?:ruary|rero)?|mar(?:ço|co|c\u0327o|ch|zo)?|abr(?:il)?|apr(?:il)?"
    "|maio?|mayo?|jun(?:ho|e|io)?|jul(?:ho|y|io)?|ago(?:sto)?|aug(?:ust)?|set(?:embro|iembre)?"
    "|sep(?:tember|tiembre|t)?|out(?:ubro)?|oct(?:ober|ubre)?|nov(?:embro|ember|iembre)?|dez(?:embro)?"
    "|dec(?:ember)?|dic(?:iembre)?"
)
"""A pattern of them, whole and in short, in Portuguese, English and Spanish."""
_NAME: Final = re.compile(NAMES_OF_MONTHS, re.IGNORECASE)


def today() -> date:
    """The day in Brasília."""
    return datetime.now(BRASILIA).date()


def stretch(text: str, *, coming: bool = False) -> Stretch | None:
    """The days of a day or a month; None where it is neither.

    Without a year it is the newest one that has begun; with `coming`, the next one that is not over.
    """
    plain = unicodedata.normalize("NFC", text.strip())
    named = _NAMED.fullmatch(plain)
    if named is not None and _NAME.fullmatch(named["name"]):
        return _month_of(_MONTHS[folded(named["name"])[:3]], named["year"], coming)
    match = _NUMERIC.fullmatch(plain)
    if match is None:
        return None
    if match["month"]:
        return _nearest(int(match["month"]), int(match["day"]), coming)
    if match["of"]:
        return _days(int(match["of"]), int(match["monthly"]), None)
    if match["y"]:
        return _days(int(match["y"]), int(match["m"]), int(match["d"]) if match["d"] else None)
    return _days(_full_year(match["Y"]), int(match["M"]), int(match["D"]))


def year(text: str) -> Stretch | None:
    """The days of a year of four digits; None where it is none."""
    plain = text.strip()
    if _YEAR.fullmatch(plain) is None or int(plain) not in _YEARS:
        return None
    return date(int(plain), 1, 1), date(int(plain), 12, 31)


def day(text: str, *, coming: bool = False) -> date | None:
    """The day; None where it is none, or a whole month."""
    days = stretch(text, coming=coming)
    return days[0] if days is not None and days[0] == days[1] else None


def month(text: str) -> str | None:
    """The month as `YYYY-MM`; None where it is none, or a day."""
    days = stretch(text)
    return f"{days[0]:%Y-%m}" if days is not None and days[0] != days[1] else None


def _full_year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text)


def _month_of(number: int, year: str | None, coming: bool) -> Stretch | None:
    return _nearest(number, None, coming) if year is None else _days(_full_year(year), number, None)


def _nearest(number: int, day: int | None, coming: bool) -> Stretch | None:
    """The occurrence of a day or month without a year; 29 February is one of a leap year."""
    now = today()
    years = range(now.year, now.year + 9) if coming else range(now.year, now.year - 9, -1)
    for known in years:
        days = _days(known, number, day)
        if days is not None and (days[1] >= now if coming else days[0] <= now):
            return days
    return None


def _days(year: int, number: int, day: int | None) -> Stretch | None:
    if year not in _YEARS or not 1 <= number <= 12:
        return None
    longest = monthrange(year, number)[1]
    if day is None:
        return date(year, number, 1), date(year, number, longest)
    return (date(year, number, day),) * 2 if 1 <= day <= longest else None
