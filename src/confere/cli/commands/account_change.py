"""`confere account change`: another address, platform name or other establishments; the documents stay."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli import reports, shapes, values
from confere.cli.face import Face
from confere.errors import UsageFault, message
from confere.system.messages import t


def account_change(
    face: Face,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("The account."))],
    address: Annotated[
        str | None, typer.Option("--address", metavar="URL", help=t("The hub's address, with or without /v2."))
    ] = None,
    platform: Annotated[
        str | None, typer.Option("--platform", metavar="P", help=t("What the hub wants in its header `platform`."))
    ] = None,
    cnpj: Annotated[
        list[str] | None,
        typer.Option(
            "--cnpj", metavar="CNPJ", help=t("An establishment, in place of all there were; may be repeated.")
        ),
    ] = None,
) -> int:
    """0 when it is changed."""
    if address is None and platform is None and not cnpj:
        raise UsageFault(
            message("There is nothing to change."), message("Give --address, --platform or --cnpj with what is new.")
        )
    tax_ids = tuple(values.tax_id(entry) for entry in cnpj) if cnpj else None
    from confere.app import accounts

    changed = accounts.change(face.workspace, name, accounts.Change(address, platform, tax_ids))
    face.out.result({"account": shapes.account(changed.account), "lists_again": changed.lists_again})
    if face.out.for_people:
        reports.accounts(face.out, [changed.account])
        if changed.lists_again:
            face.out.aside(t("Its hub is another one now: the next sync lists everything from the beginning."))
    return 0
