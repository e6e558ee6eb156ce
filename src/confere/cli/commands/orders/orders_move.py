"""`confere orders move`: tell the hub that orders were paid, shipped, delivered, are over or cancelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from confere.app.labels.reconciliation_labels import status_word
from confere.cli import order_writes
from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.cli.options import option_values, option_words, order_names, reconciliation_options, typed_values
from confere.errors import Message, UsageFault, message
from confere.sales.order_moves import OrderMoveKind
from confere.system import formatting
from confere.system.messages import render, t

if TYPE_CHECKING:
    from confere.app.orders.order_moves import MoveCandidate
    from confere.app.orders.write_back import RequestPreview, Sent

_DATED = {OrderMoveKind.SHIPPED: "--shipped-date", OrderMoveKind.DELIVERED: "--delivered-date"}


def orders_move(
    face: Face,
    order: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ORDER",
            help=t("By the hub's id, or a number of the marketplace or of the seller's system."),
            show_default=False,
        ),
    ] = None,
    *,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="MOVE",
            help=t(
                "What the hub is told of them: {words}.",
                words=option_words.listed(
                    [kind for kind in OrderMoveKind if kind is not OrderMoveKind.INVOICED], option_values.ORDER_MOVES
                ),
            ),
        ),
    ],
    ids_from: order_names.IdsFrom = None,
    shipped_date: Annotated[
        str | None, typer.Option("--shipped-date", metavar="DAY", help=t("When it left (default: now)."))
    ] = None,
    estimate_date: Annotated[
        str | None, typer.Option("--estimate-date", metavar="DAY", help=t("When it is expected to arrive."))
    ] = None,
    delivered_date: Annotated[
        str | None, typer.Option("--delivered-date", metavar="DAY", help=t("When it arrived (default: now)."))
    ] = None,
    carrier: Annotated[str, typer.Option("--carrier", metavar="NAME", help=t("Who carries it."))] = "",
    number: Annotated[str, typer.Option("--number", metavar="NUMBER", help=t("The carrier's number of it."))] = "",
    url: Annotated[str, typer.Option("--url", metavar="URL", help=t("Where it can be followed."))] = "",
    account: reconciliation_options.Account = None,
    preview: order_writes.Preview = False,
    yes: order_writes.Yes = False,
    only_if: order_writes.OnlyIf = None,
    summary: reconciliation_options.Summary = False,
) -> int:
    """1 where an order was left where it is or the user said no."""
    order_writes.check_choice(preview=preview, yes=yes)
    names = order_names.names_of(face, order, ids_from, asks=not (preview or yes))
    if not names:
        raise UsageFault(message("No order was named."), message("Name one or several, or a file with --ids-from."))
    from confere.app.archive_session import OpenArchive
    from confere.app.orders import order_moves, write_back

    kind = typed_values.choice("--to", to, order_moves.KINDS, option_values.ORDER_MOVES)
    dates = {"--shipped-date": shipped_date, "--estimate-date": estimate_date, "--delivered-date": delivered_date}
    if only_if is not None and kind in _DATED and dates[_DATED[kind]] is None:
        raise UsageFault(
            message("A digest is of requests that name their moment, and this one would name now."),
            message("Give {option}, as the preview had it.", option=_DATED[kind]),
        )
    at = {name: None if text is None else typed_values.moment(name, text) for name, text in dates.items()}
    details = order_moves.MoveDetails(
        at["--shipped-date"], at["--estimate-date"], at["--delivered-date"], carrier, number, url
    )
    move = order_moves.move_of(kind, details)
    opened = OpenArchive(face.workspace)
    try:
        plan = order_moves.plan(opened, account, names, move)
    finally:
        opened.close()
    words = order_writes.WriteWords(
        _sides,
        write_back.MOVE_OUTCOMES,
        t("No order can be moved so."),
        _requests,
        _answers,
    )
    if face.out.for_people and plan.candidates and kind in order_moves.WARNINGS:
        face.out.aside(render(Message(order_moves.WARNINGS[kind])))
    return order_writes.write(
        face, plan, words, named=True, preview=preview, yes=yes, only_if=only_if, whole=not summary
    )


def _sides(preview: RequestPreview[MoveCandidate]) -> tuple[str, ...]:
    order = preview.candidate.order
    return (
        t(
            "order {order} of {day}, {total}, {status}",
            order=order.marketplace_id or order.hub_id,
            day=formatting.date(order.created_on),
            total=formatting.money(order.total),
            status=status_word(order.status) or "-",
        ),
    )


def _requests(previews: Sequence[RequestPreview[MoveCandidate]]) -> list[Shape]:
    return [_request(preview, preview.candidate) for preview in previews]


def _request(preview: RequestPreview[MoveCandidate], candidate: MoveCandidate) -> Shape:
    request = fields_of(preview, "order=write.order_id", "move=write.move.kind", "method", "path", "body")
    return request | fields_of(candidate, "doubts")


def _answers(answers: Sequence[Sent]) -> list[Shape]:
    return each_of(answers, "order=order_id", "outcome", "why", "hub_words")
