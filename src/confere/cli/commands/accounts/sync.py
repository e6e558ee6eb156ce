"""`confere sync`: bring accounts up to date with their hubs."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.options import options, typed_values
from confere.cli.render import order_reports, reports
from confere.errors import UsageFault, message
from confere.system.messages import t


def sync(
    face: Face,
    account: Annotated[
        list[str] | None, typer.Option("--account", metavar="NAME", help=t("Only this account; may be repeated."))
    ] = None,
    first: options.From = None,
    last: options.To = None,
    month: options.Month = None,
    type: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help=t("Only nfe, cte or a subtype such as sale_return."))
    ] = None,
    marketplace: Annotated[
        str | None,
        typer.Option("--marketplace", metavar="MARKETPLACE", help=t("Only this marketplace, as the hub writes it.")),
    ] = None,
    order: Annotated[str | None, typer.Option("--order", metavar="ID", help=t("Only this order's documents."))] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full", metavar="", help=t("List everything again, whatever is known; no XML is fetched twice.")
        ),
    ] = False,
    retry: Annotated[
        bool,
        typer.Option("--retry", metavar="", help=t("List nothing; fetch again what is waiting or failed.")),
    ] = False,
    no_orders: Annotated[
        bool, typer.Option("--no-orders", metavar="", help=t("Only documents: leave the orders as they are."))
    ] = False,
    only_orders: Annotated[
        bool, typer.Option("--only-orders", metavar="", help=t("Only orders: leave the documents as they are."))
    ] = False,
) -> int:
    """1 where something listed is missing, not understood or unaccounted for, orders failed or the user stopped it."""
    days = typed_values.days(first, last, month)
    if no_orders and only_orders:
        raise UsageFault(
            message("--no-orders and --only-orders together leave nothing to sync."),
            message("Give one of them, or neither."),
        )
    if only_orders and (type is not None or marketplace is not None):
        raise UsageFault(
            message("--type and --marketplace choose documents, not orders."),
            message("Leave them out, or leave out --only-orders."),
        )
    from confere.app.accounts.sync import SyncRequest, sync_accounts

    request = SyncRequest(days.begins_at, days.ends_at, type, marketplace, order, full)
    if retry and request != SyncRequest():
        raise UsageFault(
            message("--retry lists nothing, so there is nothing to choose by days, type or order."),
            message("Give --retry alone, or with --account."),
        )
    request = replace(request, only_failed=retry, documents=not only_orders, orders=not no_orders)
    with face.job() as reporter:
        result = sync_accounts(
            face.workspace, tuple(account or ()), request, reporter=reporter, stop=face.stop, prompt=face.prompt
        )
    orders_failed = result.orders is not None and result.orders.failed > 0
    feeds_failed = result.feeds is not None and result.feeds.failed > 0
    code = 1 if result.lacking or orders_failed or feeds_failed or result.stopped else 0
    face.out.result(json_shapes.sync(result), code)
    if face.out.for_people:
        if not only_orders:
            reports.sync(face.out, result)
        if result.orders is not None:
            order_reports.synced(face.out, result.orders)
        if result.feeds is not None:
            order_reports.feeds(face.out, result.feeds)
    return code
