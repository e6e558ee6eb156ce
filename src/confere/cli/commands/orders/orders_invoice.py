"""`confere orders invoice`: give orders at the hub the invoices that the archive has for them, after showing how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from confere.app.labels.reconciliation_labels import status_word
from confere.cli import order_writes
from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.cli.options import order_names, reconciliation_options, typed_values
from confere.errors import UsageFault, message
from confere.system import formatting
from confere.system.messages import render, t

if TYPE_CHECKING:
    from confere.app.orders.write_back import Candidate, RequestPreview, Sent


def orders_invoice(
    face: Face,
    order: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ORDER",
            help=t("These orders, by the hub's id or the marketplace's number; else all that wait for an invoice."),
            show_default=False,
        ),
    ] = None,
    ids_from: order_names.IdsFrom = None,
    account: reconciliation_options.Account = None,
    month: Annotated[
        str | None, typer.Option("--month", metavar="YYYY-MM", help=t("Only orders of this month."))
    ] = None,
    preview: order_writes.Preview = False,
    yes: order_writes.Yes = False,
    only_if: order_writes.OnlyIf = None,
    summary: reconciliation_options.Summary = False,
) -> int:
    """1 where an order was left without its invoice or the user said no."""
    if (order or ids_from) and month:
        raise UsageFault(
            message("Orders that are named need no month."), message("Name orders, or give --month without any.")
        )
    order_writes.check_choice(preview=preview, yes=yes)
    names = order_names.names_of(face, order, ids_from, asks=not (preview or yes))
    from confere.app.archive_session import OpenArchive
    from confere.app.orders import write_back

    opened = OpenArchive(face.workspace)
    try:
        plan = write_back.plan(
            opened, account, period=None if month is None else typed_values.month(month), orders=names
        )
    finally:
        opened.close()
    words = order_writes.WriteWords(
        _sides,
        write_back.OUTCOMES,
        t("No order waits for an invoice that the archive has."),
        _requests,
        _answers,
    )
    return order_writes.write(
        face, plan, words, named=bool(names), preview=preview, yes=yes, only_if=only_if, whole=not summary
    )


def _sides(preview: RequestPreview[Candidate]) -> tuple[str, ...]:
    """The order beside its invoice, and why they are linked."""
    candidate = preview.candidate
    return (
        t(
            "order {order} of {day}, {total}, {status}",
            order=candidate.order.marketplace_id or candidate.order.hub_id,
            day=formatting.date(candidate.order.created_on),
            total=formatting.money(candidate.order.total),
            status=status_word(candidate.order.status) or "-",
        ),
        t(
            "invoice {series}/{number} of {day}, {total}",
            series=candidate.sale.series,
            number=candidate.sale.number,
            day=formatting.date(candidate.sale.issued_at),
            total=formatting.money(candidate.sale.total),
        ),
        *map(render, candidate.sale.evidence),
    )


def _requests(previews: Sequence[RequestPreview[Candidate]]) -> list[Shape]:
    return [_request(preview, preview.candidate) for preview in previews]


def _request(preview: RequestPreview[Candidate], candidate: Candidate) -> Shape:
    return {
        **fields_of(preview, "order=write.order_id"),
        **fields_of(candidate, "key=sale.key"),
        **fields_of(preview, "method", "path", "body"),
        **fields_of(candidate, "evidence=sale.evidence", "doubts"),
    }


def _answers(answers: Sequence[Sent]) -> list[Shape]:
    return each_of(answers, "order=order_id", "key", "outcome", "why", "hub_words")
