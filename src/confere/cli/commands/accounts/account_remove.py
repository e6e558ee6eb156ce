"""`confere account remove`: take an account out of use; its documents stay."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.errors import UsageFault, message
from confere.system.messages import t


def account_remove(
    face: Face,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("The account."))],
    yes: Annotated[bool, typer.Option("--yes", metavar="", help=t("Do not ask."))] = False,
) -> int:
    """0 when it is removed, 1 when the person said no."""
    if not yes:
        if not face.interactive:
            raise UsageFault(
                message("Nobody is there to confirm that {name} is to be removed.", name=name),
                message("Give --yes. The documents of the account stay in any case."),
            )
        if not face.confirm(message("Remove the account {name} and forget its token? Its documents stay.", name=name)):
            face.out.aside(t("Nothing was changed."))
            return 1
    from confere.app.accounts import accounts

    forgotten = accounts.remove(face.workspace, name)
    face.out.result({"removed": name, "token_forgotten": forgotten})
    if face.out.for_people:
        face.out.aside(
            t("{name} is removed and its token forgotten; its documents stay.", name=name)
            if forgotten
            else t("{name} is removed; its documents stay. No token of it was in the keyring.", name=name)
        )
    return 0
