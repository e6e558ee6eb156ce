"""`confere account change`: another address, platform name, other establishments or terms; the documents stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.options import option_values, option_words, typed_values
from confere.cli.render import reports
from confere.cli.render.accounts import token_reports
from confere.errors import UsageFault, message
from confere.sales.hub_feeds import HubFeed
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.accounts.accounts import Changed

_NONE: Final = "none"


def account_change(
    face: Face,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("The account."))],
    address: Annotated[
        str | None, typer.Option("--address", metavar="URL", help=t("The hub's address, with or without /v2."))
    ] = None,
    platform: Annotated[
        str | None, typer.Option("--platform", metavar="NAME", help=t("What the hub wants in its header `platform`."))
    ] = None,
    cnpj: Annotated[
        list[str] | None,
        typer.Option(
            "--cnpj", metavar="CNPJ", help=t("An establishment, in place of all there were; may be repeated.")
        ),
    ] = None,
    mark_feed: Annotated[
        bool | None,
        typer.Option(
            "--mark-feed/--no-mark-feed",
            metavar="",
            help=t(
                "Whether a sync marks what it read in the hub's feed of orders as read. That takes it away from every "
                "reader of the account, the seller's ERP included. Usually it does not."
            ),
        ),
    ] = None,
    mark_feeds: Annotated[
        list[str] | None,
        typer.Option(
            "--mark-feeds",
            metavar="FEED",
            help=t(
                "The feeds in which what was read is marked as read, in place of all there were; may be repeated:"
                " {known}.",
                known=option_words.listed((*HubFeed, _NONE), option_values.FEEDS),
            ),
        ),
    ] = None,
    tolerance: Annotated[
        str | None,
        typer.Option(
            "--tolerance", metavar="REAIS", help=t("Totals that differ by no more than this agree, such as 0,05.")
        ),
    ] = None,
    high_from: Annotated[
        str | None,
        typer.Option(
            "--high-from", metavar="REAIS", help=t("A difference of this and more is of high severity, such as 100,00.")
        ),
    ] = None,
    invoice_after_hours: Annotated[
        int | None,
        typer.Option("--invoice-after-hours", metavar="N", help=t("Hours until an order must have its invoice")),
    ] = None,
    freight_after_days: Annotated[
        int | None,
        typer.Option("--freight-after-days", metavar="N", help=t("Days until a shipped sale must have its CT-e")),
    ] = None,
    standing_days: Annotated[
        int | None,
        typer.Option("--standing-days", metavar="N", help=t("Days that goods may stand at the marketplace")),
    ] = None,
    scored_days: Annotated[
        int | None,
        typer.Option(
            "--scored-days", metavar="N", help=t("Days between an order and an invoice that may belong together")
        ),
    ] = None,
    relist_days: Annotated[
        int | None,
        typer.Option("--relist-days", metavar="N", help=t("Days back that orders are listed again for their status")),
    ] = None,
    relist_documents: Annotated[
        int | None,
        typer.Option("--relist-documents", metavar="N", help=t("Days back that documents are listed again once a day")),
    ] = None,
    freight_by_cte: Annotated[
        bool | None,
        typer.Option("--freight-by-cte/--no-freight-by-cte", metavar="", help=t("Its freight comes as CT-e")),
    ] = None,
    visible_series: Annotated[
        list[str] | None,
        typer.Option(
            "--visible-series",
            metavar="CNPJ/MODEL/SERIES",
            help=t(
                "A series that this account sees whole, in place of all there were; may be repeated. Only in these a "
                "gap in the numbers is a finding."
            ),
        ),
    ] = None,
    no_visible_series: Annotated[
        bool, typer.Option("--no-visible-series", metavar="", help=t("It sees no series whole."))
    ] = False,
) -> int:
    """0 when it is changed; what makes no sense changes nothing."""
    if visible_series and no_visible_series:
        raise UsageFault(
            message("--no-visible-series takes every series away."),
            message("Give --visible-series for each that there is, or --no-visible-series for none."),
        )
    terms: dict[str, Any] = {
        "tolerance": None if tolerance is None else typed_values.money("--tolerance", tolerance),
        "high_from": None if high_from is None else typed_values.money("--high-from", high_from),
        "invoice_after_hours": invoice_after_hours,
        "freight_after_days": freight_after_days,
        "standing_days": standing_days,
        "scored_days": scored_days,
        "freight_by_cte": freight_by_cte,
        "visible_series": _series(visible_series, none=no_visible_series),
    }
    terms = {term: value for term, value in terms.items() if value is not None}
    tax_ids = tuple(typed_values.tax_id(entry) for entry in cnpj) if cnpj else None
    if mark_feeds and mark_feed is not None:
        raise UsageFault(
            message("--mark-feeds and --mark-feed both speak of the feed of orders."),
            message("Give one of them."),
        )
    feeds = _feeds(mark_feeds)
    if not terms and all(
        value is None for value in (address, platform, tax_ids, mark_feed, feeds, relist_days, relist_documents)
    ):
        raise UsageFault(
            message("There is nothing to change."),
            message("Give an option with what is new; {command} names them.", command="confere account change --help"),
        )
    from confere.app.accounts import accounts

    wanted = accounts.AccountChange(address, platform, tax_ids, mark_feed, relist_days, terms, relist_documents, feeds)
    changed = accounts.change(face.workspace, name, wanted)
    moved = _ask_of_token(face, changed)
    shape = {"account": json_shapes.account(changed.account, changed.preferences), "lists_again": changed.lists_again}
    shape["token_origin"] = None if moved else changed.token_origin
    marked = changed.preferences.mark_feeds
    face.out.result(shape | {"mark_feed": changed.preferences.mark_feed, "mark_feeds": list(marked)})
    if face.out.for_people:
        reports.accounts(face.out, [changed.account])
        if terms or relist_days is not None or relist_documents is not None:
            reports.preferences(face.out, changed.preferences)
        if changed.lists_again:
            face.out.aside(t("Its hub is another one now: the next sync lists everything from the beginning."))
        if changed.token_origin is not None and not moved:
            face.out.aside(token_reports.token_stays(changed.account, changed.token_origin))
        if feeds:
            face.out.aside(
                t(
                    "From now on each sync marks what it has kept as read in these feeds: {feeds}. An ERP that reads"
                    " them will not see it any more; `--mark-feeds {none}` takes this back.",
                    feeds=option_words.listed(marked, option_values.FEEDS),
                    none=option_words.shown(_NONE, option_values.FEEDS),
                )
            )
        if mark_feed:
            face.out.aside(
                t(
                    "From now on each sync marks the orders that it has kept as read in the hub's feed. An ERP that "
                    "reads the same feed will not see them any more; `--no-mark-feed` takes this back."
                )
            )
    return 0


def _ask_of_token(face: Face, changed: Changed) -> bool:
    """Ask once, with both addresses, whether the token may go to the new one; False where nobody can say so."""
    from confere.app.accounts import accounts

    account, before = changed.account, changed.token_origin
    if before is None or not face.interactive:
        return False
    question = message(
        "The token of the account {account} was given for {before}. Send it to {address} from now on?",
        account=account.name,
        before=before,
        address=account.address,
    )
    if face.confirm(question):
        accounts.use_token_at(face.workspace, account.name, account.address)
        return True
    return False


def _feeds(given: list[str] | None) -> tuple[HubFeed, ...] | None:
    """The feeds that are marked from now on, None where nothing was said of them."""
    names = typed_values.choices("--mark-feeds", given, (*HubFeed, _NONE), option_values.FEEDS)
    return tuple(HubFeed(name) for name in names if name != _NONE) if names else None


def _series(given: list[str] | None, *, none: bool) -> tuple[str, ...] | None:
    """The series that are declared from now on, None where nothing was said of them."""
    if none:
        return ()
    parts = [part.strip().upper() for text in given or () for part in text.split(",")]
    return tuple(dict.fromkeys(parts)) if parts else None
