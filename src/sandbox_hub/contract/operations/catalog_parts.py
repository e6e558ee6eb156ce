"""How the catalog's operations are declared: lists with their usual filters, registering, changing."""

from __future__ import annotations

from typing import Any

from sandbox_hub.contract.operation import Operation, Parameter
from sandbox_hub.contract.operations.parameters import filter_by, path_id
from sandbox_hub.contract.schema_parts import Schema, own, refer
from sandbox_hub.contract.schemas.common import page_of
from sandbox_hub.contract.words import Words

PARTNER_ID = filter_by(
    "partnerId",
    Words("Identificador de quem chama.", "The caller's own identifier.", "Identificador propio del que llama."),
)
_CREATED = Words("O que foi cadastrado.", "What was registered.", "Lo que se registró.")
_CHANGED = Words("Como ficou.", "As it is now.", "Cómo quedó.")


def example_id(name: str, number: int) -> Parameter:
    """A parameter of the path with an id that every sandbox has."""
    parameter = path_id(name)
    assert isinstance(parameter.schema, dict)
    return parameter._replace(schema={**parameter.schema, "examples": [number]})


def listed(
    name: str,
    path: str,
    tag: str,
    item: str,
    summary: Words,
    query: tuple[Parameter, ...] = (),
    path_parameters: tuple[Parameter, ...] = (),
) -> Operation:
    """A list that is read page by page; the specification shows none of the catalog's."""
    return Operation(
        id=name,
        method="GET",
        path=path,
        tag=tag,
        summary=summary,
        path_parameters=path_parameters,
        query=query,
        paged=True,
        answer=page_of(item),
        refusals=(400, 404, 422) if path_parameters else (400, 422) if query else (400,),
        own_choice=True,
    )


def registered(
    name: str,
    path: str,
    tag: str,
    item: str,
    summary: Words,
    examples: dict[str, Any],
    *,
    path_parameters: tuple[Parameter, ...] = (),
    own_choice: bool = False,
) -> Operation:
    """POST of a new record, answered with 201 and the record."""
    return Operation(
        id=name,
        method="POST",
        path=path,
        tag=tag,
        summary=summary,
        path_parameters=path_parameters,
        body=refer(f"New{item}"),
        examples=examples,
        status=201,
        answer=own(refer(item), _CREATED),
        refusals=(400, 404, 422) if path_parameters else (400, 422),
        own_choice=own_choice,
    )


def changed(
    name: str,
    path: str,
    tag: str,
    item: str,
    summary: Words,
    examples: dict[str, Any],
    path_parameters: tuple[Parameter, ...],
) -> Operation:
    """PUT of some fields of a record, answered with the whole record."""
    return Operation(
        id=name,
        method="PUT",
        path=path,
        tag=tag,
        summary=summary,
        path_parameters=path_parameters,
        body=refer(f"{item}Change"),
        examples=examples,
        answer=own(refer(item), _CHANGED),
        refusals=(400, 404, 422),
    )


def written_together(
    name: str, path: str, tag: str, item: str, summary: Words, examples: dict[str, Any], *, own_choice: bool = False
) -> Operation:
    """PUT of many items at once, all of them or none; answered with each as it is now."""
    items: Schema = {"type": "array", "items": refer(item)}
    return Operation(
        id=name,
        method="PUT",
        path=path,
        tag=tag,
        summary=summary,
        body=refer({"StockItem": "StockChanges", "Price": "PriceChanges"}[item]),
        examples=examples,
        answer=own(items, _CHANGED),
        refusals=(400, 422),
        own_choice=own_choice,
    )
