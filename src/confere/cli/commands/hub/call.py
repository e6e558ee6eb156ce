"""`confere hub call`: call one operation of the hub's contract; what writes is shown first and sent once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import Shape, fields_of
from confere.cli.options import reconciliation_options
from confere.cli.options.file_input import input_bytes
from confere.errors import UsageFault, message
from confere.system.files import system_words
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.accounts.hub_calls import CallResult, HubCall


def call(
    face: Face,
    operation: Annotated[
        str, typer.Argument(metavar="OPERATION", help=t("Its id, as `confere hub operations` lists it."))
    ],
    param: Annotated[
        list[str] | None,
        typer.Option("--param", metavar="NAME=VALUE", help=t("A parameter of the path or the query; may be repeated.")),
    ] = None,
    body: Annotated[
        Path | None, typer.Option("--body", metavar="FILE|-", help=t("A file with the JSON that is sent."))
    ] = None,
    account: reconciliation_options.Account = None,
    preview: Annotated[
        bool, typer.Option("--preview", metavar="", help=t("Show the request and send nothing."))
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", metavar="", help=t("Send without asking."))] = False,
) -> int:
    """1 where the hub refused it, where nobody knows whether it arrived, or where the user said no."""
    from confere.app.accounts import hub_calls
    from confere.app.accounts.hub_calls import CallOutcome

    if preview and yes:
        raise UsageFault(message("--preview sends nothing, so there is nothing to say --yes to."))
    text = None if body is None else _text(body)
    prepared = hub_calls.prepare(face.workspace, account, operation, _parameters(param or ()), text)
    if face.out.for_people and (prepared.writes or preview):
        face.out.text(f"{_line(prepared)}\n" + (f"{plain(prepared.body, lines=True)}\n" if prepared.body else ""))
    if preview:
        face.out.result(_shape(prepared, None))
        return 0
    if prepared.writes and not yes and not _confirmed(face, prepared):
        face.out.aside(t("Nothing was sent."))
        return 1
    with face.job():  # Ctrl+C while an answer is awaited: what was sent is audited as not known
        result = hub_calls.send(face.workspace, prepared, stop=face.stop, prompt=face.prompt)
    code = 0 if result.outcome is CallOutcome.ANSWERED else 1
    face.out.result(_shape(prepared, result), code)
    if face.out.for_people:
        _show(face, result)
    return code


def _parameters(given: list[str] | tuple[()]) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageFault(message("{text} is no parameter.", text=text), message("Write it as --param NAME=VALUE."))
        if name in parameters:
            raise UsageFault(message("The parameter {name} is given twice.", name=name))
        parameters[name] = value
    return parameters


def _text(file: Path) -> str:
    try:
        return input_bytes(file).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        why = system_words.why(error)
        raise UsageFault(
            message("The body {file} cannot be read: {why}.", file=str(file), why=why),
            message("Give a file with JSON in UTF-8."),
        ) from error


def _confirmed(face: Face, prepared: HubCall) -> bool:
    if not face.interactive:
        raise UsageFault(
            message(
                "Nobody is there to confirm what would be written at the hub of {account}.", account=prepared.account
            ),
            message("Look at it with --preview, then give --yes."),
        )
    return face.confirm(message("Send this request to the hub of {account}?", account=prepared.account))


def _line(prepared: HubCall) -> str:
    query = f"?{urlencode(prepared.query)}" if prepared.query else ""
    return plain(f"{prepared.method} {prepared.path}{query}")


def _show(face: Face, result: CallResult) -> None:
    if result.why is not None:
        face.out.aside(render(result.why))
        if result.outcome == "unknown":
            face.out.aside(t("Nobody knows whether it arrived: look before you send it again."))
        return
    face.out.text(_pretty(result.answer))
    if result.read_back is not None:
        face.out.aside(t("As the hub shows it now:"))
        face.out.text(_pretty(result.read_back))


def _pretty(content: Any) -> str:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=2)
    return f"{plain(text, lines=True)}\n"


def _shape(prepared: HubCall, result: CallResult | None) -> Shape:
    """`body` is the text that is sent, to the last byte; `result` is null where nothing was sent."""
    shape = fields_of(prepared, "account", "operation=operation.id", "method", "path", "query", "body", "writes")
    fields = ("outcome", "status", "answer", "read_back", "why", "hub_words")
    return shape | {"result": None if result is None else fields_of(result, *fields)}
