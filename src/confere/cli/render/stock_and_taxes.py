"""Goods at the marketplaces' warehouses and the pivot of taxes, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from confere.cli import tables
from confere.cli.output import Output
from confere.cli.render import labels
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from decimal import Decimal

    from rich.table import Table

    from confere.app.reconciliation.queries import StockChain, StockRow, TaxLine


def stock(out: Output, found: Sequence[StockRow]) -> None:
    """One line an item."""
    if found:
        out.print(_stock(found))
    out.aside(t("{count} items.", count=formatting.count(len(found))))


def chain(out: Output, found: StockChain) -> None:
    """An item with its documents."""
    out.print(_stock([found.line]), "")
    out.print(
        tables.table(
            [t("Day"), t("Operation"), t("Number"), t("Pieces"), t("Balance"), t("Access key")],
            [
                (
                    formatting.date(entry.on),
                    labels.operation_word(entry.operation),
                    entry.number,
                    pieces(entry.pieces) if entry.counted else f"({pieces(entry.pieces)})",
                    pieces(entry.balance),
                    entry.key,
                )
                for entry in found.moves
            ],
            right=(3, 4),
        )
    )


def taxes(out: Output, found: Sequence[TaxLine]) -> None:
    """The pivot with the sums that somebody has."""
    from confere.app.reconciliation.queries import TAX_AMOUNTS
    from confere.app.reconciliation.report_sheets import tax_name

    names = [name for name in TAX_AMOUNTS if any(name in entry.amounts for entry in found)]
    if found:
        out.print(
            tables.table(
                [t("Month"), t("CFOP"), t("CST"), t("UF"), "", t("Documents"), *map(tax_name, names)],
                [
                    (
                        entry.period,
                        entry.cfop,
                        entry.cst,
                        entry.state,
                        "" if entry.in_effect else t("without effect"),
                        formatting.count(entry.documents),
                        *(formatting.money(entry.amounts.get(name)) for name in names),
                    )
                    for entry in found
                ],
                right=tuple(range(5, 6 + len(names))),
            )
        )
    out.aside(t("{count} lines.", count=formatting.count(len(found))))


def pieces(number: Decimal) -> str:
    """Pieces without zeros that say nothing."""
    exponent = number.normalize().as_tuple().exponent
    return formatting.decimal(number, max(0, -exponent) if isinstance(exponent, int) else 0)


def _stock(found: Sequence[StockRow]) -> Table:
    return tables.table(
        [
            *(t("Item"), t("Description"), t("Sent"), t("Symbolic"), t("Sold"), t("Returned"), t("Balance")),
            *(t("Below zero since"), t("Oldest pieces of")),
        ],
        [
            (
                entry.subject,
                entry.description or "",
                pieces(entry.sent),
                pieces(entry.symbolic),
                pieces(entry.sold + entry.removed + entry.lost),
                pieces(entry.returned),
                pieces(entry.balance),
                formatting.date(entry.negative_on),
                formatting.date(entry.oldest_on),
            )
            for entry in found
        ],
        right=(2, 3, 4, 5, 6),
    )
