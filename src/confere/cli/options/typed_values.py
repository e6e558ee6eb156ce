"""Understands what people type: days, months, CNPJ, choices, file patterns."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Literal, TypeVar

from confere.app.documents.search import typed_days
from confere.cli.options import option_words
from confere.cli.options.option_words import Words
from confere.errors import UsageFault, message
from confere.fiscal import taxpayers
from confere.fiscal.periods import BRASILIA
from confere.system import formatting

Choice = TypeVar("Choice", bound=str)
RETRY_AFTER: tuple[Literal["none", "seconds", "date"], ...] = ("none", "seconds", "date")
SERVED: tuple[Literal["sandbox", "production", "both"], ...] = ("sandbox", "production", "both")

_YEARS = (2000, 2099)


@dataclass(frozen=True, slots=True)
class Days:
    """A stretch of local days, both included; None is open."""

    first: date | None = None
    last: date | None = None

    @property
    def begins_at(self) -> datetime | None:
        """The first instant, in Brazilian time."""
        return None if self.first is None else datetime.combine(self.first, time.min, BRASILIA)

    @property
    def ends_at(self) -> datetime | None:
        """The last instant, in Brazilian time."""
        return None if self.last is None else datetime.combine(self.last, time.max, BRASILIA)

    @property
    def from_day(self) -> str | None:
        return None if self.first is None else self.first.isoformat()

    @property
    def to_day(self) -> str | None:
        return None if self.last is None else self.last.isoformat()


def days(first: str | None, last: str | None, whole_month: str | None) -> Days:
    """The days of `--from`, `--to` and `--month`. `UsageFault` where they make no sense."""
    if whole_month is not None:
        if first is not None or last is not None:
            raise UsageFault(message("--month says both days already."), message("Give --month, or --from and --to."))
        year, number = map(int, month(whole_month).split("-"))
        return Days(date(year, number, 1), date(year, number, monthrange(year, number)[1]))
    found = Days(None if first is None else day(first), None if last is None else day(last))
    if found.first is not None and found.last is not None and found.first > found.last:
        raise UsageFault(
            message("The first day, {first}, is after the last, {last}.", first=found.first, last=found.last),
            message("Exchange --from and --to."),
        )
    return found


def day(text: str, *, coming: bool = False) -> date:
    """`2026-10-31`, `31/10/2026` or `31/10`: without a year the newest one that was or, with `coming`, the next."""
    found = typed_days.day(text, coming=coming)
    if found is None:
        raise UsageFault(
            message("{text} is not a day.", text=text),
            message("Write it as 31/10/2026, 31/10 or 2026-10-31."),
        )
    return found


def moment(option: str, text: str, *, bare: time = time(12)) -> datetime:
    """A day with or without its time: `2026-10-31`, `31/10/2026 14:05`, `2026-10-31T14:05:00-03:00`.

    Without zone it is Brasília's time; a day alone is its `bare` time, else its noon, which is that day in every zone
    of the country. A year of another century is a slip.
    """
    plain = text.strip()
    parts = re.split(r"[T ]", plain, maxsplit=1)
    found = None
    with suppress(ValueError, UsageFault):
        at = time.fromisoformat(parts[1]) if len(parts) > 1 else bare
        found = datetime.combine(day(parts[0]), at)
    if found is None or not _YEARS[0] <= found.year <= _YEARS[1]:
        raise UsageFault(
            message("{option} cannot be {value}.", option=option, value=text),
            message("Write it as 2026-10-31 or as 31/10/2026 14:05."),
        )
    return found if found.tzinfo is not None else found.replace(tzinfo=BRASILIA)


def month(text: str) -> str:
    """`2026-10`, `10/2026`, `out/2026` or `outubro`, as `2026-10`; without a year the newest one that has begun."""
    found = typed_days.month(text)
    if found is None:
        raise UsageFault(
            message("{text} is not a month.", text=text),
            message("Write it as 2026-10, 10/2026 or out/2026."),
        )
    return found


def tax_id(text: str) -> str:
    """A CNPJ or CPF, masked or not, as the archive keeps it."""
    found = taxpayers.normalise(text)
    if not (taxpayers.is_cnpj(found) or taxpayers.is_cpf(found)):
        raise UsageFault(
            message("{value} is not a CNPJ or CPF: its check digits do not agree.", value=text),
            message("Copy it from an invoice of the company; letters are allowed in a CNPJ since July 2026."),
        )
    return found


def money(option: str, text: str) -> int:
    """Centavos, of `0,05`, `0.05` or `R$ 1.234,56`."""
    try:
        return formatting.cents(text)
    except ValueError:
        raise UsageFault(
            message("{option} cannot be {value}.", option=option, value=text),
            message("Give an amount in reais, such as 0,05."),
        ) from None


def choice(option: str, text: str, known: Collection[Choice], words: Words = lambda code: (code,)) -> Choice:
    """One of `known`: its code or any of its `words`, upper or lower case, with or without accents."""
    found = _meant(text, known, words)
    if found is None:
        raise UsageFault(
            message("{option} cannot be {value}.", option=option, value=text),
            message("Choose one of: {known}.", known=option_words.listed(known, words)),
        )
    return found


def choices(
    option: str, texts: Iterable[str] | None, known: Collection[Choice], words: Words = lambda code: (code,)
) -> tuple[Choice, ...]:
    """Each of `texts`, which may also be given in one with commas; a word may have a comma of its own."""
    parts = [
        part for text in texts or () for part in ([text] if _meant(text, known, words) is not None else text.split(","))
    ]
    return tuple(dict.fromkeys(choice(option, part, known, words) for part in parts))


def _meant(text: str, known: Collection[Choice], words: Words) -> Choice | None:
    wanted = option_words.comparable(text)
    by_code = {option_words.comparable(entry): entry for entry in known}
    if wanted in by_code:  # a code counts more than what another one is called
        return by_code[wanted]
    return next((entry for entry in known if wanted in map(option_words.comparable, words(entry))), None)


def words(given: object) -> object:
    """`given`, or each text in a list, without lone surrogates: `\\udce7` stands for a byte of another encoding.

    Everything else stays as it is, paths above all: only as it was typed does such a name open its file.
    """
    if isinstance(given, str):
        return given.encode("utf-8", "backslashreplace").decode("utf-8")
    return [words(entry) for entry in given] if isinstance(given, list) else given


def paths(given: Sequence[Path]) -> list[Path]:
    """`given`, with patterns filled in: no shell of Windows does that for a program."""
    found: list[Path] = []
    for path in given:
        base = Path(path.anchor)
        try:
            matches = [] if path.exists() else sorted(base.glob(str(path.relative_to(base))))
        except OSError:  # it lies in a closed folder, or its name is too long: the import says so by name
            matches = []
        found += matches or [path]
    return found
