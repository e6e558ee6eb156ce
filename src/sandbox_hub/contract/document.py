"""An OpenAPI 3.1 document of one API, made from the operations that the hub really serves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sandbox_hub.contract.conventions import Conventions
from sandbox_hub.contract.operation import Api, Operation, Parameter
from sandbox_hub.contract.schema_parts import OWN_CHOICE, Schema, marked, refer
from sandbox_hub.contract.schemas.all_schemas import ALL_SCHEMAS
from sandbox_hub.contract.words import Words, localized
from sandbox_hub.shapes.names import Shape

_TITLES = {
    Api.BACKOFFICE: Words("API do backoffice", "Backoffice API", "API del backoffice"),
    Api.MARKETPLACE: Words(
        "API que o hub oferece ao middleware do marketplace",
        "API that the hub offers to the marketplace's middleware",
        "API que el hub ofrece al middleware del marketplace",
    ),
    Api.REMOTE: Words(
        "Hooks que o hub chama no middleware do marketplace",
        "Hooks that the hub calls at the marketplace's middleware",
        "Hooks que el hub llama en el middleware del marketplace",
    ),
}
_ERRORS = {
    400: Words("Requisição errada.", "Wrong request.", "Solicitud incorrecta."),
    401: Words(
        "Falta um cabeçalho, ou o token é de outro ambiente.",
        "A header is missing, or the token is of another environment.",
        "Falta un encabezado, o el token es de otro ambiente.",
    ),
    404: Words("Não encontrado.", "Not found.", "No encontrado."),
    422: Words("Valor inválido.", "A value is not valid.", "Valor no válido."),
    429: Words("Requisições demais.", "Too many requests.", "Demasiadas solicitudes."),
}
_ERROR_EXAMPLES = {
    400: ("BAD_REQUEST", "O parâmetro limit deve estar entre 5 e 100."),
    401: ("UNAUTHORIZED", "Os cabeçalhos serviceToken e platform são obrigatórios."),
    404: ("NOT_FOUND", "Recurso não encontrado."),
    422: ("UNPROCESSABLE_ENTITY", "A marca informada não está cadastrada."),
    429: ("TOO_MANY_REQUESTS", "Limite de requisições excedido. Tente novamente em instantes."),
}
_ANSWER_SHOWN = ("createCategory", "canSave")  # of what writes: the specification shows no other answer
_SUCCESS = Words("Feito.", "Done.", "Hecho.")
_EMPTY_LIST = Words("A lista está vazia.", "The list is empty.", "La lista está vacía.")
_SECURITY: dict[Api, dict[str, Schema]] = {
    Api.BACKOFFICE: {
        "serviceToken": {"type": "apiKey", "in": "header", "name": "serviceToken"},
        "platform": {"type": "apiKey", "in": "header", "name": "platform"},
    },
    Api.MARKETPLACE: {
        "appId": {"type": "apiKey", "in": "header", "name": "appId", OWN_CHOICE: True},
        "token": {"type": "apiKey", "in": "header", "name": "token", OWN_CHOICE: True},
    },
    Api.REMOTE: {"token": {"type": "http", "scheme": "bearer", OWN_CHOICE: True}},
}


@lru_cache(maxsize=32)
def build_document(
    api: Api, operations: tuple[Operation, ...], conventions: Conventions, language: str, server: str
) -> dict[str, Any]:
    """The complete document, not to be changed; `server` is the API's address, relative to the site's root."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, conventions)
    schemas: dict[str, Any] = {}
    _gather(paths, schemas)
    document = {
        "openapi": "3.1.0",
        "info": {"title": _TITLES[api], "version": "2"},
        "servers": [{"url": server}],
        "tags": [{"name": tag} for tag in dict.fromkeys(operation.tag for operation in operations)],
        "paths": paths,
        "components": {"schemas": dict(sorted(schemas.items())), "securitySchemes": _SECURITY[api]},
        "security": [{name: [] for name in _SECURITY[api]}],
    }
    return localized(document, language)  # type: ignore[no-any-return]


def all_parameters(operation: Operation, conventions: Conventions) -> tuple[tuple[str, Parameter], ...]:
    """The operation's parameters, each with where it stands: path or query."""
    paging = conventions.paging() if operation.paged else ()
    return (
        *(("path", parameter) for parameter in operation.path_parameters),
        *(("query", parameter) for parameter in (*conventions.parameters(operation.query), *paging)),
    )


def _described(operation: Operation, conventions: Conventions) -> dict[str, Any]:
    content: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
    }
    description = operation.description
    if operation.own_choice:
        content[OWN_CHOICE] = True
        description = marked(description or operation.summary)
    if description is not None:
        content["description"] = description
    parameters = all_parameters(operation, conventions)
    if parameters:
        content["parameters"] = [
            {
                "name": parameter.name,
                "in": place,
                "required": parameter.required,
                "description": marked(parameter.words) if parameter.own_choice else parameter.words,
                "schema": parameter.schema,
                **({OWN_CHOICE: True} if parameter.own_choice else {}),
            }
            for place, parameter in parameters
        ]
    if operation.body is not None:
        examples = {name: {"value": value} for name, value in operation.examples.items()}
        content["requestBody"] = {
            "required": operation.body_required,
            "content": {"application/json": {"schema": operation.body} | ({"examples": examples} if examples else {})},
        }
    content["responses"] = _responses(operation, conventions)
    return content


def _responses(operation: Operation, conventions: Conventions) -> dict[str, Any]:
    success: dict[str, Any] = {"description": _SUCCESS}
    if operation.method in ("POST", "PUT") and operation.id not in _ANSWER_SHOWN:
        success = {"description": marked(_SUCCESS), OWN_CHOICE: True}
    if operation.answer is not None:
        success["content"] = {operation.media_type: {"schema": operation.answer}}
    elif operation.media_type:
        success["content"] = {operation.media_type: {}}
    responses = {str(operation.status): success}
    if operation.paged:
        responses["204"] = {"description": _EMPTY_LIST}
    empty = {404} if operation.paged and Shape.EMPTY_404 in conventions.shapes else set()
    for status in sorted({*operation.refusals, *empty, 401, 429}):
        code, message = _ERROR_EXAMPLES[status]
        example = {"code": code, "message": message, "details": None, "resources": None}
        responses[str(status)] = {
            "description": _ERRORS[status],
            "content": {"application/json": {"schema": refer("Error"), "example": example}},
        }
    return responses


def _gather(content: Any, schemas: dict[str, Any]) -> None:
    """Add every schema that `content` refers to, and those that these refer to."""
    if isinstance(content, Mapping):
        reference = content.get("$ref")
        if isinstance(reference, str):
            name = reference.rsplit("/", 1)[1]
            if name not in schemas:
                schemas[name] = ALL_SCHEMAS[name]
                _gather(ALL_SCHEMAS[name], schemas)
        for value in content.values():
            _gather(value, schemas)
    elif isinstance(content, list | tuple) and not isinstance(content, Words):
        for value in content:
            _gather(value, schemas)
