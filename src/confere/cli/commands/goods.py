"""`confere stock` and `confere taxes`: goods at the marketplaces' warehouses, and the pivot of taxes."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli import desk_options, desk_reports, desk_shapes, values
from confere.cli.face import Face
from confere.system.messages import t


def stock(
    face: Face,
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="COMPANY/MARKETPLACE/ITEM",
            help=t("One item with every document behind its numbers; without it, every item."),
            show_default=False,
        ),
    ] = None,
    account: desk_options.Account = None,
) -> int:
    """Always 0."""
    from confere.app import desk

    with desk_options.opened(face, account) as (opened, name):
        if subject is not None:
            chain = desk.stock_chain(opened, name, subject)
            face.out.result(desk_shapes.chain(name, chain))
            if face.out.for_people:
                desk_reports.chain(face.out, chain)
            return 0
        found = desk.stock(opened, name)
    face.out.result(desk_shapes.stock(name, found))
    if face.out.for_people:
        desk_reports.stock(face.out, found)
    return 0


def taxes(face: Face, account: desk_options.Account = None, period: desk_options.Period = None) -> int:
    """Always 0."""
    month = None if period is None else values.month(period)
    from confere.app import desk

    with desk_options.opened(face, account) as (opened, name):
        found = desk.taxes(opened, name, month)
    face.out.result(desk_shapes.taxes(name, month, found))
    if face.out.for_people:
        desk_reports.taxes(face.out, found)
    return 0
