"""What the archive keeps by company and year of issue: documents, their bytes as received, open findings about them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from confere.archive.transaction import Transaction


@dataclass(frozen=True, slots=True)
class KeptYear:
    """The documents of a company in a year of issue; `company` is None for those of no establishment of an account.

    `year` is empty for documents without a day of issue. `size` in bytes of the documents' and their events' files.
    `newest` is the last day of issue, `YYYY-MM-DD`. A document between two companies of the archive counts for both.
    """

    company: str | None
    year: str
    documents: int
    events: int
    size: int
    newest: str | None
    open_findings: int


def kept_years(transaction: Transaction, companies: Collection[str]) -> tuple[KeptYear, ...]:
    """Every company and year, the oldest year first; one pass over the documents."""
    ids = {
        int(number): str(tax_id)
        for number, tax_id in transaction.fetch_in(
            "SELECT id, tax_id FROM taxpayer WHERE tax_id IN {}", tuple(companies)
        )
    }
    own = ",".join(map(str, sorted(ids))) or "-1"
    party = "CASE WHEN d.{0}_id IN (" + own + ") THEN d.{0}_id END AS {0}"
    parties = ", ".join(party.format(name) for name in ("emitter", "recipient", "taker"))
    groups: dict[tuple[str | None, str], list[KeptYear]] = {}

    def add(row_parties: Collection[int | None], year: str | None, part: KeptYear) -> None:
        mine: set[str | None] = {ids[number] for number in row_parties if number is not None}
        for company in mine or {None}:
            groups.setdefault((company, year or ""), []).append(part)

    for row in transaction.each_named(
        f"SELECT substr(d.issued_on, 1, 4) AS year, {parties}, count(*) AS documents, sum(c.size) AS size,"
        " max(d.issued_on) AS newest FROM document d JOIN content c ON c.id = d.content_id"
        " WHERE d.is_current = 1 GROUP BY 1, 2, 3, 4"
    ):
        part = KeptYear(None, row.year or "", row.documents, 0, row.size, row.newest, 0)
        add((row.emitter, row.recipient, row.taker), row.year, part)
    for row in transaction.each_named(
        f"SELECT substr(d.issued_on, 1, 4) AS year, {parties}, count(*) AS events, sum(c.size) AS size"
        " FROM event e JOIN document d ON d.access_key = e.access_key AND d.is_current = 1"
        " JOIN content c ON c.id = e.content_id WHERE e.is_current = 1 AND e.embedded = 0 GROUP BY 1, 2, 3, 4"
    ):
        part = KeptYear(None, row.year or "", 0, row.events, row.size, None, 0)
        add((row.emitter, row.recipient, row.taker), row.year, part)
    for row in transaction.each_named(
        f"SELECT substr(d.issued_on, 1, 4) AS year, {parties}, count(DISTINCT f.id) AS findings"
        " FROM finding f JOIN finding_key k ON k.finding_id = f.id"
        " JOIN document d ON d.access_key = k.access_key AND d.is_current = 1"
        " WHERE f.state IN ('open', 'not_checked') GROUP BY 1, 2, 3, 4"
    ):
        part = KeptYear(None, row.year or "", 0, 0, 0, None, row.findings)
        add((row.emitter, row.recipient, row.taker), row.year, part)
    return tuple(_sum(company, year, parts) for (company, year), parts in sorted(groups.items(), key=_order))


def _sum(company: str | None, year: str, parts: list[KeptYear]) -> KeptYear:
    days = [part.newest for part in parts if part.newest]
    return KeptYear(
        company,
        year,
        sum(part.documents for part in parts),
        sum(part.events for part in parts),
        sum(part.size for part in parts),
        max(days, default=None),
        sum(part.open_findings for part in parts),
    )


def _order(group: tuple[tuple[str | None, str], list[KeptYear]]) -> tuple[str, str]:
    (company, year), _ = group
    return year, company or "~"
