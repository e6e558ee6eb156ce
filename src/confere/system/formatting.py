"""Money, counts, dates, durations and sizes as the user's language writes them."""

from __future__ import annotations

import datetime
from decimal import Decimal

from confere.system.messages import count as count
from confere.system.messages import language

_STEPS = ("B", "kB", "MB", "GB", "TB", "PB")


def money(cents: int | None) -> str:
    """Centavos as reais, `R$ 1.234,56`: written in the Brazilian way in every language. None is empty."""
    if cents is None:
        return ""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}R$ {_grouped(whole, '.')},{rest:02d}"


def cents(text: str) -> int:
    """Centavos of what a person wrote as reais: `0,05`, `0.05`, `R$ 1.234,56`. Raises `ValueError`."""
    plain = text.strip().removeprefix("R$").strip()
    whole, _, rest = plain.replace(".", "").partition(",") if "," in plain else plain.partition(".")
    if not (whole + rest).isdecimal() or len(rest) > 2:
        raise ValueError(text)
    return int(whole or "0") * 100 + int(rest.ljust(2, "0"))


def decimal_string(cents: int | None) -> str | None:
    """Centavos as JSON carries money, `1234.56`: never a float, the same in every language."""
    if cents is None:
        return None
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02d}"


def decimal(value: Decimal | float, digits: int) -> str:
    """A number with `digits` decimals (rounded half to even): 1.234,5, in English 1,234.5."""
    text = f"{value:,.{digits}f}"
    return text if language() == "en" else text.translate(str.maketrans(",.", ".,"))


def quantity(value: Decimal) -> str:
    """A quantity with no more decimals than it has: 2, 1,5."""
    digits = max(-int(value.normalize().as_tuple().exponent), 0) if value else 0
    return decimal(value, digits)


def priced(pieces: Decimal | None, total: int | None) -> str:
    """Pieces, price and total (centavos): `2 × R$ 74,03 = R$ 148,06`; `3 · R$ 100,00` where no price is whole."""
    worth = money(total)
    if pieces is None or total is None:
        return worth if pieces is None else quantity(pieces)
    unit = total / pieces if pieces else None
    if unit is None or unit != int(unit):
        return f"{quantity(pieces)} · {worth}"
    return f"{quantity(pieces)} × {money(int(unit))}" + (f" = {worth}" if pieces != 1 else "")


def date(value: datetime.date | str | None) -> str:
    """A day: 31/10/2026, in English 2026-10-31. A text is an ISO 8601 date or time; what is not stays as is.

    A time keeps the day that its own zone wrote.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        try:
            value = datetime.date.fromisoformat(value[:10])
        except ValueError:
            return str(value)
    return f"{value.year:04d}-{value:%m-%d}" if language() == "en" else f"{value:%d/%m}/{value.year:04d}"


def moment(value: datetime.datetime | str | None) -> str:
    """A day and the minute, in the zone that wrote it: 31/10/2026 14:05. A text without a time is a day."""
    if value is None:
        return ""
    if isinstance(value, str):
        if len(value) <= 10:
            return date(value)
        try:
            value = datetime.datetime.fromisoformat(value)
        except ValueError:
            return str(value)
    return f"{date(value)} {value:%H:%M}"


def duration(seconds: float | None) -> str:
    """A length of time in its two largest units: 4 s, 2 min 10 s, 3 h 05 min, 2 d 04 h. None is empty."""
    if seconds is None:
        return ""
    total = round(max(seconds, 0))
    if total < 60:
        return f"{total} s"
    minutes, second = divmod(total, 60)
    if minutes < 60:
        return f"{minutes} min {second:02d} s"
    hours, minute = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minute:02d} min"
    days, hour = divmod(hours, 24)
    return f"{days} d {hour:02d} h"


def size(number: int) -> str:
    """Bytes in steps of 1000 with three digits that count: 999 B, 1,23 MB (in English 1.23 MB), 123 GB."""
    value, step = float(number), 0
    # 999.5 would be rounded to 1000 of this unit, which is 1 of the next.
    while abs(value) >= 999.5 and step < len(_STEPS) - 1:
        value, step = value / 1000, step + 1
    if step == 0:
        return f"{count(number)} B"
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{decimal(value, digits)} {_STEPS[step]}"


def _grouped(number: int, separator: str) -> str:
    return f"{number:,}".replace(",", separator)


def month(text: str) -> str:
    """A month (`YYYY-MM`) in figures: 10/2026."""
    return f"{text[5:]}/{text[:4]}"
