"""`confere orders show`: everything about one order, or its JSON as it came."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import order_json
from confere.cli.render import order_view
from confere.errors import UsageFault, message
from confere.system.messages import t


def orders_show(
    face: Face,
    name: Annotated[
        str,
        typer.Argument(
            metavar="ORDER", help=t("By the hub's id, or a number of the marketplace or of the seller's system.")
        ),
    ],
    account: Annotated[
        str | None, typer.Option("--account", metavar="NAME", help=t("Whose order, where several accounts have it."))
    ] = None,
    versions: Annotated[
        bool, typer.Option("--versions", metavar="", help=t("Tell each version of it that was received, too."))
    ] = False,
    raw: Annotated[
        bool,
        typer.Option("--raw", metavar="", help=t("Give its JSON as it was received; with --versions each of them.")),
    ] = False,
) -> int:
    """0; what the archive does not hold is wrong use."""
    if raw and not face.out.for_people:
        raise UsageFault(
            message("--json and --raw are two kinds of JSON: this program's, and the hub's."),
            message("Give one of them."),
        )
    from confere.app.orders import orders

    found = orders.show(face.workspace, name.strip(), account=account)
    if raw:
        for version in found.versions if versions else found.versions[:1]:
            face.out.data(orders.raw(face.workspace, version) + (b"\n" if versions else b""))
        return 0
    face.out.result(order_json.shown(found))
    if face.out.for_people:
        face.out.print(*order_view.parts(found, versions=versions))
    return 0
