"""`confere feeds`: the hub's feeds of changes, as they stand or read now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from confere.app.labels.feed_labels import feed_word
from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.json.encoder import each_of
from confere.cli.options import option_values, option_words, reconciliation_options, typed_values
from confere.cli.render import order_reports
from confere.sales.hub_feeds import HubFeed
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.accounts.feeds import FeedLine

_LINE = ("account", "feed", "is_offered", "is_marked", "gives_records", "read_at", "days", "records", "versions")


def feeds_list(face: Face, account: reconciliation_options.Account = None) -> int:
    """0; no hub is asked."""
    from confere.app.accounts import feeds

    known = feeds.listing(face.workspace, account)
    face.out.result({"feeds": each_of(known.lines, *_LINE), "published_prices": dict(known.prices)})
    if face.out.for_people:
        titles = (
            *(
                t("Account"),
                t("Feed"),
                t("What it lists"),
                t("At the hub"),
                t("Last read"),
                t("Records"),
                t("Versions"),
            ),
            t("Marked as read"),
        )
        face.out.print(tables.table(titles, [_row(line) for line in known.lines]))
        for name, count in known.prices.items():
            if count:
                told = t("published prices known: {count}", count=formatting.count(count))
                face.out.aside(f"- {plain(name)}: {told}")
    return 0


def feeds_read(
    face: Face,
    feed: Annotated[
        list[str] | None,
        typer.Option(
            "--feed",
            metavar="NAME",
            help=t(
                "Only this feed: {known}; may be repeated.",
                known=option_words.listed(tuple(HubFeed), option_values.FEEDS),
            ),
        ),
    ] = None,
    account: reconciliation_options.Account = None,
) -> int:
    """1 where a record that a feed names did not come, or the user stopped it; a feed that the hub lacks is none."""
    from confere.app.accounts import feeds

    chosen = typed_values.choices("--feed", feed, tuple(HubFeed), option_values.FEEDS)
    wanted = tuple(each for each in HubFeed if not chosen or each in chosen)
    with face.job() as reporter:
        result = feeds.read(face.workspace, account, wanted, reporter=reporter, stop=face.stop, prompt=face.prompt)
    code = 1 if result.failed or result.stopped else 0
    failures = [failure for each in result.feeds for failure in json_shapes.feed_failures(each)]
    face.out.result(dict(result.counts()) | {"failures": failures, "stopped": result.stopped}, code)
    if face.out.for_people:
        order_reports.feeds(face.out, result)
    return code


def _row(line: FeedLine) -> tuple[str, ...]:
    offered = {True: t("yes"), False: t("not offered"), None: t("not asked yet")}
    return (
        plain(line.account),
        option_words.shown(line.feed, option_values.FEEDS),
        render(feed_word(line.feed)),
        offered[line.is_offered],
        "" if line.read_at is None else formatting.moment(line.read_at),
        "" if line.records is None else formatting.count(line.records),
        "" if line.versions is None else formatting.count(line.versions),
        t("yes") if line.is_marked else t("no"),
    )
