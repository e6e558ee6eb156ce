"""A request built from an operation of the contract: path, query and body, checked before anything is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from confere.errors import UsageFault, message
from confere.hub.contract.contract import Contract, ContractOperation, ContractParameter
from confere.hub.contract.validation import SchemaFault, faults
from confere.hub.documents.documents import segment
from confere.system.messages import render

_TRUTHS: Final = {"true": True, "false": False}
_NUMBER: Final = re.compile(r"-?[0-9]{1,30}(?:\.[0-9]{1,30})?", re.ASCII)
_NO_SEGMENTS: Final = ("", ".", "..")  # these would change the path itself
_LONGEST: Final = 4_000
_MOST_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class HubRequest:
    """One request. `path` is below the account's address, `body` the bytes that are sent; None for no body."""

    method: str
    path: str
    query: Mapping[str, str]
    body: bytes | None


def build_request(
    contract: Contract, operation: ContractOperation, parameters: Mapping[str, str], body: Any, *, has_body: bool
) -> HubRequest:
    """The request that calls `operation` with these parameters, as texts, and this JSON body.

    Raises `UsageFault` that names the parameter or the field that the contract does not take.
    """
    _check_names(operation, parameters)
    path, query = operation.path, {}
    for parameter in operation.parameters:
        text = parameters.get(parameter.name)
        if text is None:
            if parameter.required:
                raise UsageFault(
                    message("The operation {operation} needs {name}.", operation=operation.id, name=parameter.name),
                    message("Give it as --param {name}=…", name=parameter.name),
                )
            continue
        _check(contract, operation, parameter, text)
        if parameter.place == "path":
            path = path.replace("{" + parameter.name + "}", segment(text))
        else:
            query[parameter.name] = text
    if "{" in path:
        raise UsageFault(
            message(
                "The contract does not say what belongs into the path {path} of {operation}.",
                path=path,
                operation=operation.id,
            ),
            message("It cannot be called; tell the hub's support."),
        )
    return HubRequest(operation.method, path, query, _body(contract, operation, body, has_body=has_body))


def _check_names(operation: ContractOperation, parameters: Mapping[str, str]) -> None:
    known = [parameter.name for parameter in operation.parameters]
    strange = [name for name in parameters if name not in known]
    if strange:
        raise UsageFault(
            message("The operation {operation} has no parameter {name}.", operation=operation.id, name=strange[0]),
            message("It takes: {known}.", known=", ".join(known) or "-"),
        )


def _body(contract: Contract, operation: ContractOperation, body: Any, *, has_body: bool) -> bytes | None:
    if not has_body:
        if operation.body is not None and operation.body_required:
            raise UsageFault(
                message("The operation {operation} needs a body.", operation=operation.id),
                message(
                    "Give it as --body FILE; `confere hub operations {operation}` shows examples.",
                    operation=operation.id,
                ),
            )
        return None
    if operation.body is None:
        raise UsageFault(message("The operation {operation} takes no body.", operation=operation.id))
    wrong = faults(body, operation.body, contract.components)
    if wrong:
        raise _refused(operation, wrong)
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as error:  # also half of a character
        raise UsageFault(
            message("The body holds NaN, an infinite number or half of a character, which no JSON can carry.")
        ) from error


def _check(contract: Contract, operation: ContractOperation, parameter: ContractParameter, text: str) -> None:
    if (parameter.place == "path" and text in _NO_SEGMENTS) or len(text) > _LONGEST or not text.isprintable():
        raise UsageFault(
            message(
                "{name} of {operation} cannot be {value}: no address can carry it.",
                name=parameter.name,
                operation=operation.id,
                value=text[:_MOST_SHOWN],
            )
        )
    wrong: tuple[SchemaFault, ...] = ()
    for value in _readings(parameter, text):
        wrong = faults(value, parameter.schema, contract.components)
        if not wrong:
            return
    raise UsageFault(
        message(
            "{name} = {value} is not what the contract takes: {why}.",
            name=parameter.name,
            value=text[:_MOST_SHOWN],
            why=render(wrong[0].what),
        )
    )


def _readings(parameter: ContractParameter, text: str) -> list[Any]:
    """The JSON values that a text in an address may mean (a list has one element), the one of the parameter's type
    last: what is wrong with that is said."""
    value: Any = _TRUTHS.get(text, text)
    if _NUMBER.fullmatch(text):
        value = int(text) if text.lstrip("-").isdecimal() else float(text)
    kinds = parameter.schema.get("type")
    if kinds == "array":
        return [text, value, [text], [value]]
    return [[text], [value], value, text] if kinds == "string" else [[text], [value], text, value]


def _refused(operation: ContractOperation, wrong: tuple[SchemaFault, ...]) -> UsageFault:
    lines = "; ".join(f"{fault.field or '(body)'}: {render(fault.what)}" for fault in wrong)
    return UsageFault(
        message("The body is not what {operation} takes: {faults}.", operation=operation.id, faults=lines),
        message("Nothing was sent. `confere hub operations {operation}` shows examples.", operation=operation.id),
    )
