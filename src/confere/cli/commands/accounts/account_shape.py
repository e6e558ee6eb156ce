"""`confere account shape`: what was learnt of how an account's hub wants to be asked, beside its contract."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.render import hub_traits
from confere.system.messages import t


def account_shape(
    face: Face,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("The account."))],
    forget: Annotated[
        bool, typer.Option("--forget", metavar="", help=t("Forget it all: the next test or sync learns it anew."))
    ] = False,
    refresh: Annotated[
        bool, typer.Option("--refresh", metavar="", help=t("Ask the hub for its contract now."))
    ] = False,
) -> int:
    """0; an account that was neither tested nor synced has nothing to show."""
    from confere.app.accounts import hub_traits as hub_traits_use_case

    if forget:
        count = hub_traits_use_case.forget(face.workspace, name)
        face.out.result({"account": name, "forgotten": count, "shape": {}})
        face.out.aside(t("Forgotten. The next test or sync of {account} learns it anew.", account=name))
        return 0
    found = hub_traits_use_case.shape(face.workspace, name)
    contract = hub_traits_use_case.contract_beside(face.workspace, name, refresh=refresh)
    shapes = {"shape": json_shapes.hub_shape(found), "contract": json_shapes.hub_contract(contract)}
    face.out.result({"account": name, **shapes})
    if face.out.for_people:
        hub_traits.shape(face.out, found)
        if not found:
            face.out.aside(t("Nothing is learnt yet. `confere account test` or a sync learns it."))
        hub_traits.contract(face.out, contract)
    return 0
