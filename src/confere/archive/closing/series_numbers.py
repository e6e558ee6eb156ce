"""The numbers of a series around those of a month: read by the index of numbers, whatever the archive's size."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from confere.archive.transaction import Transaction
from confere.fiscal import access_keys


class NumberSeries(NamedTuple):
    """A sequence of numbers: emitter (CNPJ or CPF), model, series."""

    emitter: str
    model: str
    series: int

    @property
    def name(self) -> str:
        """As terms declare it: `CNPJ/model/series`."""
        return f"{self.emitter}/{self.model}/{self.series}"

    @property
    def key_part(self) -> str:
        """As it stands in an access key."""
        return f"{self.emitter.zfill(14)}{self.model}{self.series:03d}"


class UsedNumber(NamedTuple):
    """A number of a series with the day of its note (`YYYY-MM-DD`, empty where it says none); of one without XML the
    month that its key says."""

    number: int
    issued_on: str
    issued_at: str | None

    @property
    def month(self) -> str:
        return self.issued_on[:7]


_OF_LINE = (
    "d.is_current = 1 AND +d.model = :model AND coalesce(d.series, 0) = :series"
    " AND d.emitter_id IN (SELECT id FROM taxpayer WHERE tax_id = :emitter)"
    " AND (:with_tests OR coalesce(d.environment, '') != '2')"
)


def within(
    transaction: Transaction, line: NumberSeries, first: int, last: int, *, with_tests: bool
) -> Iterator[UsedNumber]:
    """The notes of a series with numbers from `first` to `last`."""
    return iter(
        transaction.fetch_as(
            UsedNumber,
            "SELECT d.number, coalesce(d.issued_on, '') AS issued_on, d.issued_at FROM document d"
            f" WHERE d.number BETWEEN :first AND :last AND {_OF_LINE}",
            {**line._asdict(), "first": first, "last": last, "with_tests": with_tests},
        )
    )


def last_before(transaction: Transaction, line: NumberSeries, number: int, *, with_tests: bool) -> UsedNumber | None:
    """The note of a series with the highest number below `number`."""
    rows = transaction.fetch_as(
        UsedNumber,
        "SELECT d.number, coalesce(d.issued_on, '') AS issued_on, d.issued_at FROM document d"
        f" WHERE d.number < :before AND {_OF_LINE} ORDER BY d.number DESC LIMIT 1",
        {**line._asdict(), "before": number, "with_tests": with_tests},
    )
    return rows[0] if rows else None


def voided(transaction: Transaction, emitter: str) -> dict[NumberSeries, list[tuple[int, int]]]:
    """The ranges of numbers that `emitter` declared unused, and that the authority registered."""
    ranges: dict[NumberSeries, list[tuple[int, int]]] = defaultdict(list)
    for row in transaction.named(
        'SELECT v.model, v.series, v."first", v."last" FROM voiding v JOIN document d ON d.id = v.document_id'
        " WHERE v.emitter = ? AND d.is_current = 1 AND d.state = 'voided'"
        ' AND v."first" IS NOT NULL AND v."last" IS NOT NULL',
        (emitter,),
    ):
        ranges[NumberSeries(emitter, row.model, row.series or 0)].append((row.first, row.last))
    return ranges


def listed_alone(
    transaction: Transaction, account_ids: Collection[int], line: NumberSeries, first: int, last: int
) -> Iterator[UsedNumber]:
    """The numbers of a series, from `first` to `last`, that hubs' lists name and whose documents are not here."""
    keys = transaction.column(
        "SELECT h.access_key FROM hub_document h WHERE h.account_id IN (SELECT value FROM json_each(:accounts))"
        " AND substr(h.access_key, 7, 19) = :line"
        " AND CAST(substr(h.access_key, 26, 9) AS INTEGER) BETWEEN :first AND :last"
        " AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = h.access_key)",
        {"accounts": json.dumps(list(account_ids)), "line": line.key_part, "first": first, "last": last},
    )
    for key in keys:
        parts = access_keys.parse(key)
        if parts is not None:
            yield UsedNumber(parts.number, parts.period, None)
