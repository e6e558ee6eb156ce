"""Calendar months as a filing knows them: their days, their instants, and which of them is over."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from confere.archive.clock import utc_now, utc_text
from confere.archive.hub import completeness
from confere.archive.hub.completeness import MonthCount
from confere.archive.store import Archive
from confere.errors import UsageFault, message
from confere.fiscal.periods import BRASILIA

_SHAPE = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Month:
    """A month. Days are `YYYY-MM-DD`; `from_at` and `to_at` are its first and last instant in Brasília, as UTC text."""

    text: str  # YYYY-MM
    first_day: str
    last_day: str
    from_at: str
    to_at: str


def month_of(text: str) -> Month:
    """The month written as `YYYY-MM`; `UsageFault` for anything else."""
    if _SHAPE.fullmatch(text) is None or not 2000 <= int(text[:4]) <= 2100:
        raise UsageFault(
            message("{month} is not a month.", month=text),
            message("Write year and month, like 2026-10."),
        )
    year, number = int(text[:4]), int(text[5:])
    days = calendar.monthrange(year, number)[1]
    start = datetime(year, number, 1, tzinfo=BRASILIA)
    after = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=BRASILIA)
    return Month(
        text,
        f"{text}-01",
        f"{text}-{days:02d}",
        utc_text(start),
        utc_text(after - timedelta(milliseconds=1)),
    )


def months_of(archive: Archive, company: str) -> tuple[MonthCount, ...]:
    """The months in which `company` has documents, oldest first, with how many."""
    with archive.reading() as transaction:
        return completeness.months_of(transaction, company)


def known_companies(archive: Archive) -> tuple[str, ...]:
    """The establishments of the accounts in use; where there are none, everybody who emitted a document."""
    with archive.reading() as transaction:
        return completeness.companies(transaction)


def newest_full_month(archive: Archive, companies: Iterable[str]) -> str | None:
    """The newest month that is over and in which one of `companies` has documents, as `YYYY-MM`.

    Whether a month is over is asked of the newest time a hub spoke of, since its calendar may not be ours (a sandbox
    has one of its own). Without any hub it is our clock, or the newest document where that is later.
    """
    with archive.reading() as transaction:
        found = {entry.month for company in companies for entry in completeness.months_of(transaction, company)}
        moment = completeness.newest_hub_moment(transaction)
    if moment is not None:
        current = datetime.fromisoformat(moment).astimezone(BRASILIA).strftime("%Y-%m")
    else:
        current = max({datetime.fromisoformat(utc_now()).astimezone(BRASILIA).strftime("%Y-%m")} | found)
    return max((month for month in found if month < current), default=None)
