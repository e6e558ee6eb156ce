"""A request built from an operation of the contract: path, query and body, checked before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from confere.errors import UsageFault, message
from confere.hub.contract.contract import Contract, ContractOperation, ContractParameter
from confere.hub.contract.validation import SchemaFault, faults
from confere.hub.documents.documents import segment
from confere.system.messages import render

_WHOLE, _NUMBER, _TRUTH = "integer", "number", "boolean"
_TRUTHS: Final = {"true": True, "false": False}


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
        _check(contract, parameter, text)
        if parameter.place == "path":
            path = path.replace("{" + parameter.name + "}", segment(text))
        else:
            query[parameter.name] = text
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
    return json.dumps(body, ensure_ascii=False).encode()


def _check(contract: Contract, parameter: ContractParameter, text: str) -> None:
    wrong = faults(_typed(parameter, text), parameter.schema, contract.components)
    if wrong:
        raise UsageFault(
            message(
                "{name} = {value} is not what the contract takes: {why}.",
                name=parameter.name,
                value=text[:100],
                why=render(wrong[0].what),
            )
        )


def _typed(parameter: ContractParameter, text: str) -> Any:
    """The text as the JSON value that the parameter's schema means; as it is where it is none."""
    kinds = parameter.schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if _TRUTH in kinds and text in _TRUTHS:
        return _TRUTHS[text]
    if _WHOLE in kinds or _NUMBER in kinds:
        try:
            return int(text) if text.lstrip("-").isdecimal() else float(text)
        except ValueError:
            return text
    return text


def _refused(operation: ContractOperation, wrong: tuple[SchemaFault, ...]) -> UsageFault:
    lines = "; ".join(f"{fault.field or '(body)'}: {render(fault.what)}" for fault in wrong)
    return UsageFault(
        message("The body is not what {operation} takes: {faults}.", operation=operation.id, faults=lines),
        message("Nothing was sent. `confere hub operations {operation}` shows examples.", operation=operation.id),
    )
