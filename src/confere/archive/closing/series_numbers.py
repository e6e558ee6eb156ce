"""The numbers of a series around those of a month: read by the index of numbers, whatever the archive's size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from confere.archive.transaction import Transaction
from confere.fiscal import access_keys


class NumberLine(NamedTuple):
    """A sequence of numbers: emitter (CNPJ or CPF), model, series."""

    emitter: str
    model: str
    series: int

    @property
    def name(self) -> str:
        """As terms declare it: `CNPJ/model/series`."""
        return f"{self.emitter}/{self.model}/{self.series}"


class UsedNumber(NamedTuple):
    """A number of a series with the day of its note (`YYYY-MM-DD`); of one without XML the month that its key says."""

    number: int
    issued_on: str
    issued_at: str | None

    @property
    def month(self) -> str:
        return self.issued_on[:7]


_OF_LINE = (
    "d.is_current = 1 AND +d.model = :model AND coalesce(d.series, 0) = :series"
    " AND d.emitter_id IN (SELECT id FROM taxpayer WHERE tax_id = :emitter) AND d.issued_on > ''"
    " AND (:with_tests OR coalesce(d.environment, '') != '2')"
)


def within(
    transaction: Transaction, line: NumberLine, first: int, last: int, *, with_tests: bool
) -> Iterator[UsedNumber]:
    """The notes of a series with numbers from `first` to `last`."""
    return iter(
        transaction.fetch_as(
            UsedNumber,
            "SELECT d.number, d.issued_on, d.issued_at FROM document d"
            f" WHERE d.number BETWEEN :first AND :last AND {_OF_LINE}",
            {**line._asdict(), "first": first, "last": last, "with_tests": with_tests},
        )
    )


def last_before(transaction: Transaction, line: NumberLine, number: int, *, with_tests: bool) -> UsedNumber | None:
    """The note of a series with the highest number below `number`."""
    rows = transaction.fetch_as(
        UsedNumber,
        "SELECT d.number, d.issued_on, d.issued_at FROM document d"
        f" WHERE d.number < :before AND {_OF_LINE} ORDER BY d.number DESC LIMIT 1",
        {**line._asdict(), "before": number, "with_tests": with_tests},
    )
    return rows[0] if rows else None


def voided(transaction: Transaction, emitter: str) -> dict[NumberLine, list[tuple[int, int]]]:
    """The ranges of numbers that `emitter` declared unused, and that the authority registered."""
    ranges: dict[NumberLine, list[tuple[int, int]]] = defaultdict(list)
    for row in transaction.named(
        'SELECT v.model, v.series, v."first", v."last" FROM voiding v JOIN document d ON d.id = v.document_id'
        " WHERE v.emitter = ? AND d.is_current = 1 AND d.state = 'voided'"
        ' AND v."first" IS NOT NULL AND v."last" IS NOT NULL',
        (emitter,),
    ):
        ranges[NumberLine(emitter, row.model, row.series or 0)].append((row.first, row.last))
    return ranges


def listed_alone(transaction: Transaction, account_ids: Collection[int]) -> dict[NumberLine, list[UsedNumber]]:
    """The numbers that a hub's list names and whose documents are not here."""
    numbers: dict[NumberLine, list[UsedNumber]] = defaultdict(list)
    for key in transaction.column_in(
        "SELECT h.access_key FROM hub_document h WHERE h.access_key IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = h.access_key) AND h.account_id IN {}",
        account_ids,
    ):
        parts = access_keys.parse(key)
        if parts is not None:
            line = NumberLine(parts.emitter, parts.model, parts.series)
            numbers[line].append(UsedNumber(parts.number, parts.period, None))
    return numbers
