"""`confere hub operations`: what the hub's contract declares, as a list or one operation in full."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.cli.options import option_values, option_words, reconciliation_options, typed_values
from confere.errors import NC_, UsageFault, message
from confere.system.messages import t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.accounts.hub_calls import ContractOperation

_WIDEST_SUMMARY = 60


def operations(
    face: Face,
    operation: Annotated[
        str | None,
        typer.Argument(metavar="OPERATION", help=t("This one in full: its parameters, body and examples.")),
    ] = None,
    tag: Annotated[str | None, typer.Option("--tag", metavar="GROUP", help=t("Only operations of this group."))] = None,
    api: Annotated[
        str | None,
        typer.Option(
            "--api",
            metavar="API",
            help=t(
                "Of which API: the seller's ({first}, the default), the marketplace's ({second}) or the addresses that "
                "the hub calls ({third}); only the first can be called.",
                first=option_words.shown("backoffice", option_values.HUB_APIS),
                second=option_words.shown("marketplace", option_values.HUB_APIS),
                third=option_words.shown("remote", option_values.HUB_APIS),
            ),
        ),
    ] = None,
    account: reconciliation_options.Account = None,
) -> int:
    """0; the words are the contract's own, in the language of the program."""
    from confere.app.accounts import hub_calls

    of_api = typed_values.choice("--api", api or "backoffice", tuple(hub_calls.ContractApi), option_values.HUB_APIS)
    known = hub_calls.operations(face.workspace, account, tag=tag, api=of_api)
    if operation is not None:
        one = next((each for each in known.operations if each.id == operation), None)
        if one is None:
            raise UsageFault(
                message("The hub's contract has no operation {operation}.", operation=operation),
                message("`confere hub operations` lists them."),
            )
        face.out.result({"account": known.account, "operation": _whole(one)})
        if face.out.for_people:
            _explain(face, one)
        return 0
    face.out.result(
        {
            "account": known.account,
            "operations": each_of(known.operations, "id", "method", "path", "tags", "summary", "writes"),
            "tags": list(known.tags),
        }
    )
    if face.out.for_people:
        rows = [
            (each.id, f"{each.method} {each.path}", ", ".join(each.tags), each.summary[:_WIDEST_SUMMARY])
            for each in known.operations
        ]
        face.out.print(
            tables.table(
                (t("Operation"), t("Request"), t(NC_("hub operation", "Tag")), t("What it does")),
                [list(map(plain, row)) for row in rows],
            )
        )
    return 0


def _whole(operation: ContractOperation) -> Shape:
    shape = fields_of(
        operation, "id", "method", "path", "tags", "summary", "description", "writes", "body_required", "examples"
    )
    parameters = each_of(operation.parameters, "name", "place", "required", "description", "schema")
    return shape | {"parameters": parameters, "body": operation.body}


def _explain(face: Face, operation: ContractOperation) -> None:
    """What the contract says of it, as text: neither a terminal's commands nor our own markup."""
    lines = [f"{operation.method} {operation.path}", operation.summary]
    if operation.description and operation.description != operation.summary:
        lines.append(operation.description)
    face.out.sentences(*map(plain, lines))
    if operation.parameters:
        rows = [
            (
                plain(parameter.name),
                t("path") if parameter.place == "path" else t("query"),
                t("yes") if parameter.required else "",
                plain(parameter.description),
            )
            for parameter in operation.parameters
        ]
        face.out.print(tables.table((t("Parameter"), t("Where"), t("Needed"), t("Meaning")), rows))
    for name, example in operation.examples.items():
        body = json.dumps(example, ensure_ascii=False, indent=2)
        face.out.text(t("Example of a body ({name}):", name=plain(name)) + f"\n{plain(body, lines=True)}\n")
