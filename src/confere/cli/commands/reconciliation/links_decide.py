"""`confere links accept|link|unlink|confirm|merge|split|undo|redo`: what a person says about orders and documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from confere.cli.commands.reconciliation.findings_decide import told
from confere.cli.context import Face
from confere.cli.options import reconciliation_options
from confere.errors import UsageFault, message
from confere.system.messages import t

Order = Annotated[
    list[str] | None,
    typer.Option(
        "--order", metavar="ID", help=t("An order, by the hub's id or the marketplace's number; may be repeated.")
    ),
]
Key = Annotated[
    list[str] | None, typer.Option("--key", metavar="KEY", help=t("A document, by its key; may be repeated."))
]


def _said(verb: str) -> Callable[..., int]:
    """The command in which a person says `verb` of orders and documents."""

    def say(
        face: Face,
        order: Order = None,
        key: Key = None,
        account: reconciliation_options.Account = None,
        note: reconciliation_options.Note = None,
    ) -> int:
        """0; what the archive does not hold is wrong use."""
        from confere.app.reconciliation import decisions

        of_pairs = {"link": decisions.link, "unlink": decisions.unlink, "confirm": decisions.confirm}
        of_groups = {"merge": decisions.merge, "split": decisions.split}
        orders, keys = _given(order, key)
        name = _account(face, account)
        if verb in of_groups:
            return told(face, of_groups[verb](face.workspace, name, orders, keys, note))
        pairs = [(one, other) for one in orders for other in keys]
        return told(face, of_pairs[verb](face.workspace, name, pairs, note))

    return say


def links_accept(
    face: Face,
    order: Order = None,
    key: Key = None,
    account: reconciliation_options.Account = None,
    note: reconciliation_options.Note = None,
) -> int:
    """0; what is in no suggestion is wrong use. An order or a document names the pair."""
    from confere.app.reconciliation import decisions, queries

    keys = ["".join(entry.split()) for entry in key or ()]
    if not order and not keys:
        raise UsageFault(
            message("Nothing was named that could be accepted."),
            message("Give --order or --key; each may be repeated."),
        )
    with reconciliation_options.opened(face, account) as (opened, name):
        pairs = queries.suggested(opened, name, order or (), keys)
    return told(face, decisions.link(face.workspace, name, pairs, note))


links_link = _said("link")
links_unlink = _said("unlink")
links_confirm = _said("confirm")
links_merge = _said("merge")
links_split = _said("split")


def links_undo(face: Face, account: reconciliation_options.Account = None) -> int:
    """Always 0."""
    from confere.app.reconciliation import decisions

    return told(face, decisions.undo(face.workspace, _account(face, account)))


def links_redo(face: Face, account: reconciliation_options.Account = None) -> int:
    """Always 0."""
    from confere.app.reconciliation import decisions

    return told(face, decisions.redo(face.workspace, _account(face, account)))


def _given(order: list[str] | None, key: list[str] | None) -> tuple[list[str], list[str]]:
    keys = ["".join(entry.split()) for entry in key or ()]
    if not order or not keys:
        raise UsageFault(
            message("A link has two sides: an order and a document."),
            message("Give --order and --key; each may be repeated."),
        )
    return order, keys


def _account(face: Face, account: str | None) -> str:
    with reconciliation_options.opened(face, account) as (_, name):
        return name
