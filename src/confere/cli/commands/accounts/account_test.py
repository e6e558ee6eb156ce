"""`confere account test`: a polite look at the hub with the account's token, and at one record as understood."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.render import hub_traits
from confere.system.messages import ngettext, render, t


def account_test(face: Face, name: Annotated[str, typer.Argument(metavar="NAME", help=t("The account."))]) -> int:
    """0 where the hub answered; what stood in the way otherwise."""
    from confere.app.accounts import accounts

    found = accounts.test(face.workspace, name, face.prompt)
    face.out.result(json_shapes.tested(found))
    if face.out.for_people:
        if found.documents is None:
            face.out.print(t("{address} answers and takes the token.", address=found.address))
        else:
            face.out.print(
                ngettext(
                    "{address} answers, takes the token and has {count} document.",
                    "{address} answers, takes the token and has {count} documents.",
                    found.documents,
                    address=found.address,
                )
            )
        if found.warning is not None:
            face.out.aside(render(found.warning))
        if found.record is not None:
            hub_traits.record(face.out, found.record)
        hub_traits.shape(face.out, found.shape)
    return 0
