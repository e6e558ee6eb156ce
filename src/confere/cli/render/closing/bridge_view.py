"""The bridge of a month for people: the lines with what they add, and the orders and documents of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from confere.cli import tables
from confere.cli.options import option_values, option_words
from confere.cli.output import Output
from confere.cli.render import labels
from confere.sales.bridge import BridgeCode
from confere.system import formatting
from confere.system.messages import render, t

if TYPE_CHECKING:
    from confere.app.closing.bridge import BridgeShareRow, MonthBridge


def bridge(out: Output, made: MonthBridge, line: BridgeCode | None, pdf: Path | None) -> None:
    """The page, or one of its lines."""
    if line is None:
        out.print(
            tables.table(
                [t("Code"), t("Line"), t("Orders"), t("Documents"), t("Amount")],
                [
                    (
                        option_words.shown(each.code, option_values.BRIDGE_LINES),
                        made.label(each.code),
                        *_counts(each.orders, each.documents),
                        _money(each.amount),
                    )
                    for each in made.shown
                ],
                right=(2, 3, 4),
            )
        )
        for sentence in made.standing:
            out.aside(render(sentence))
        if made.no_company_command:
            out.aside(t("List the orders of no company: `{command}`.", command=made.no_company_command))
    else:
        heads = [t("Order"), t("Document"), t("Access key"), t("Amount"), t("Why")]
        out.print(tables.table(heads, _rows(made, line), right=(3,)))
        whole = made.page.line(line)
        out.aside(f"{made.label(line)}: {_money(whole.amount)}")
    if pdf is not None:
        out.aside(t("Written to {path}.", path=str(pdf)))


def _rows(made: MonthBridge, line: BridgeCode) -> Iterator[tuple[str, str, str, str, str]]:
    for row in made.rows(line):
        reason = "" if row.share.reason is None else render(row.share.reason)
        yield row.share.order_id or "", _number(row), row.share.key or "", _money(row.share.amount), reason


def _number(row: BridgeShareRow) -> str:
    return "" if row.paper is None else labels.number_word(row.paper.series, row.paper.number)


def _counts(*counts: int) -> tuple[str, ...]:
    return tuple(formatting.count(count) if count else "" for count in counts)


def _money(cents: int) -> str:
    return formatting.money(cents)
