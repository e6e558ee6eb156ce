"""What commands on orders say to people when their work is done."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from confere.cli import tables
from confere.cli.options import declaration_options, option_values, option_words
from confere.cli.output import Output
from confere.errors import NC_
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.accounts.feeds import FeedsResult
    from confere.app.accounts.sync import OrdersResult
    from confere.app.orders.orders import Doubt, OrderFileResult, RowProblem
    from confere.sales.hub_feeds import HubFeed

MOST_TOLD = 50


def synced(out: Output, result: OrdersResult) -> None:
    """Figures of the orders of a sync to stdout, failures to stderr."""
    count = formatting.count

    def some(number: int) -> str:
        return count(number) if number else ""

    out.print(
        "",
        tables.facts(
            [
                (t("Orders listed"), count(result.listed) if result.has_list else ""),
                (t("New orders"), count(result.new)),
                (t("Changed orders"), count(result.changed)),
                (t("Orders asked for by number"), some(result.asked)),
                (t("Orders the hub does not have"), some(result.absent)),
                (t("Orders that failed"), some(result.failed)),
                (t("Marked as read in the feed"), some(result.marked)),
                (t("New or changed returns"), some(result.returns)),
                (t("Requests"), count(result.requests)),
                (t(NC_("duration", "Time")), formatting.duration(result.seconds)),
            ]
        ),
    )
    if result.has_list is False:
        out.aside(t("This hub has no list of orders: only those that its feed and the documents name can be fetched."))
    if result.date_filter == "ignored":
        out.aside(t("This hub ignores the dates of orders: all of them were listed."))
    elif result.date_filter == "refused":
        out.aside(t("This hub takes the dates of orders in no form that Confere knows: all of them were listed."))
    for entry in result.failures[:MOST_TOLD]:
        out.aside(f"- {plain(entry.order_id)}: {render(entry.reason)}")
    if result.failed:
        out.aside(t("The next sync asks for them again."))


def feeds(out: Output, result: FeedsResult) -> None:
    """Figures of feeds to stdout, failures to stderr; a feed that the hub lacks is a line and no failure."""
    count = formatting.count
    rows = [
        (
            _feed(each.feed),
            count(each.items) if each.is_offered else t("not offered"),
            count(each.changed) if each.changed else "",
            count(each.prices) if each.prices else "",
            count(each.absent) if each.absent else "",
            count(each.failed) if each.failed else "",
            count(each.marked) if each.marked else "",
        )
        for each in result.feeds
    ]
    titles = (t("Feed"), t("Items"), t("New or changed"), t("Prices"), t("Absent"), t("Failed"), t("Marked as read"))
    out.print("", tables.table(titles, rows))
    for each in result.feeds:
        if each.is_cut and not each.marked:
            out.aside(
                t(
                    "{feed}: the hub shows only its oldest unread items; newer ones come when these are marked by a"
                    " reader, or after 30 days.",
                    feed=_feed(each.feed),
                )
            )
        for entry in each.lost[:MOST_TOLD]:
            out.aside(f"- {_feed(each.feed)} {plain(entry.name)}: {render(entry.reason)}")
    if result.failed:
        out.aside(t("The next sync asks for them again."))


def imported(out: Output, result: OrderFileResult) -> None:
    """Figures to stdout, lines that could not be read to stderr."""
    count = formatting.count
    out.print(
        tables.facts(
            [
                (t("Lines"), count(result.rows)),
                (t("Orders"), count(result.orders)),
                (t("New"), count(result.new)),
                (t("Changed"), count(result.changed)),
                (t("Already here"), count(result.same)),
                (t("Left as the hub tells them"), count(result.outranked) if result.outranked else ""),
                (t("Lines of sums left out"), count(result.reading.left_out) if result.reading.left_out else ""),
                (t("Lines not readable"), count(result.unreadable)),
                (t("Columns"), columns(dict(result.reading.mapping))),
                (t(NC_("duration", "Time")), formatting.duration(result.seconds)),
            ]
        )
    )
    problems(out, result.reading.problems)
    statuses(out, result.reading.unknown_statuses)
    totals(out, result.reading.without_total, result.orders)
    declaration_options.report(out, result.declared, result.not_declared)
    if result.stopped:
        out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))


def problems(out: Output, found: tuple[RowProblem, ...]) -> None:
    """Each line that cannot be read, with its column and why."""
    for entry in found[:MOST_TOLD]:
        place = t("line {line}", line=entry.line) + (f", {plain(entry.column)}" if entry.column else "")
        out.aside(f"- {place}: {render(entry.reason)}")
    if len(found) > MOST_TOLD:
        out.aside(t("… and {count} more; --json names them.", count=formatting.count(len(found) - MOST_TOLD)))


def statuses(out: Output, unknown: Mapping[str, int]) -> None:
    """Words of the file that are no status known here."""
    from confere.app.orders.orders import status_text

    if unknown:
        out.aside(plain(status_text(unknown)))
        if word := next(filter(None, unknown), ""):
            out.aside(t("Say what they mean: {option}.", option=f'--status "{plain(word)}=returned"'))


def doubts(out: Output, found: Sequence[Doubt]) -> None:
    """What is to be said of columns before the file can be imported."""
    for entry in found:
        choices = " / ".join(f'--map "{plain(entry.column)}={choice}"' for choice in entry.choices)
        out.aside(
            f"- {render(entry.why)} {t('Say which it is: {choices}. The answer is remembered.', choices=choices)}"
        )


def totals(out: Output, without_total: int, orders: int) -> None:
    """What cannot be checked of orders that state no total."""
    from confere.app.orders.orders import total_text

    if without_total:
        out.aside(total_text(without_total, orders))


def columns(mapping: Mapping[str, str], remembered: Collection[str] = ()) -> str:
    """What each column means, and of which it is remembered."""
    from confere.app.orders.orders import FIELD_WORDS

    words = option_words.of_labels(FIELD_WORDS)
    return "; ".join(
        name_of(f"{column} = {option_words.shown(field, words)}", column in remembered)
        for column, field in mapping.items()
    )


def name_of(column: str, is_remembered: bool) -> str:
    return f"{column} ({t('remembered')})" if is_remembered else column


def _feed(feed: HubFeed) -> str:
    return option_words.shown(feed, option_values.FEEDS)
