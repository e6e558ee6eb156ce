"""Checks a body against its schema in the contract: an unknown or missing name is 400, a wrong value 422.

It knows the keywords that the contract's bodies use, and no others.
"""

from __future__ import annotations

import math
import re
from typing import Any

from sandbox_hub.contract.schema_parts import Schema
from sandbox_hub.contract.schemas.all_schemas import ALL_SCHEMAS
from sandbox_hub.web.responses import bad_request, bad_value

_WORDS = {
    "object": "um objeto",
    "array": "uma lista",
    "string": "um texto",
    "integer": "um número inteiro",
    "number": "um número",
    "boolean": "true ou false",
    "null": "null",
}
_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
KEYWORDS = frozenset(
    {
        *("type", "properties", "required", "additionalProperties", "minProperties", "maxProperties"),
        *("items", "minItems", "maxItems", "minLength", "maxLength", "pattern", "format", "enum"),
        *("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "anyOf", "allOf", "$ref"),
        *("description", "x-own-choice", "examples"),
    }
)


def check_body(body: Any, name: str) -> Any:
    """The body, which is right by the contract's schema `name`; refused otherwise. A whole number is an int in it."""
    schema = ALL_SCHEMAS[name]
    if not _is_kind(body, schema["type"]):
        raise bad_request(f"O corpo deve ser {_WORDS[schema['type']]}.")
    return _checked(body, schema, "")


def _checked(value: Any, schema: Schema, path: str) -> Any:
    if "$ref" in schema:
        return _checked(value, ALL_SCHEMAS[schema["$ref"].rsplit("/", 1)[1]], path)
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    if kinds and not any(_is_kind(value, kind) for kind in kinds):
        raise bad_value(f"{_what(path)} deve ser {' ou '.join(_WORDS[kind] for kind in kinds)}.")
    if "enum" in schema and value not in schema["enum"]:
        accepted = ", ".join(word for word in schema["enum"] if word is not None)
        raise bad_value(f"Valor inválido para {path}: {value[:60]}.", f"Aceitos: {accepted}")
    if isinstance(value, dict):
        _check_object(value, schema, path)
        for part in schema.get("allOf", ()):
            _check_object(value, part, path)
    elif isinstance(value, list):
        _check_size(len(value), schema, path, "minItems", "maxItems", "itens")
        for n, item in enumerate(value):
            value[n] = _checked(item, schema.get("items", {}), f"{path}[{n}]")
    elif isinstance(value, str):
        _check_size(len(value), schema, path, "minLength", "maxLength", "caracteres")
        if "pattern" in schema and not re.fullmatch(schema["pattern"], value, re.ASCII):
            raise bad_value(f"Valor inválido para {path}: {value[:60]}.", f"Esperado: {schema['pattern']}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        _check_range(value, schema, path)
        return int(value) if "integer" in kinds else value
    return value


def _check_object(value: dict[str, Any], schema: Schema, path: str) -> None:
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    for name in value:
        if name not in properties and others is False:
            raise bad_request(
                f"{_what(path)} tem um campo desconhecido: {name[:60]}.", "Aceitos: " + ", ".join(sorted(properties))
            )
    for name in schema.get("required", ()):
        if name not in value:
            raise bad_request(f"{_what(path)} deve conter o campo {name}.")
    alternatives = [part["required"][0] for part in schema.get("anyOf", ())]
    if alternatives and not any(name in value for name in alternatives):
        raise bad_request(f"{_what(path)} deve conter um destes campos: {', '.join(alternatives)}.")
    if len(value) < schema.get("minProperties", 0):
        raise bad_request(f"{_what(path)} deve conter ao menos um campo.", "Aceitos: " + ", ".join(sorted(properties)))
    if len(value) > schema.get("maxProperties", len(value)):
        raise bad_value(f"{_what(path)} deve ter no máximo {schema['maxProperties']} campos.")
    for name, entry in value.items():
        value[name] = _checked(entry, properties.get(name, others), f"{path}.{name}" if path else name)


def _check_size(size: int, schema: Schema, path: str, least: str, most: str, unit: str) -> None:
    if size < schema.get(least, 0):
        raise bad_value(f"{_what(path)} deve ter no mínimo {schema[least]} {unit}.")
    if size > schema.get(most, size):
        raise bad_value(f"{_what(path)} deve ter no máximo {schema[most]} {unit}.")


def _check_range(value: float, schema: Schema, path: str) -> None:
    if value < schema.get("minimum", -math.inf):
        raise bad_value(f"{_what(path)} deve ser no mínimo {schema['minimum']}.")
    if value > schema.get("maximum", math.inf):
        raise bad_value(f"{_what(path)} deve ser no máximo {schema['maximum']}.")
    if value <= schema.get("exclusiveMinimum", -math.inf):
        raise bad_value(f"{_what(path)} deve ser maior que {schema['exclusiveMinimum']}.")
    if value >= schema.get("exclusiveMaximum", math.inf):
        raise bad_value(f"{_what(path)} deve ser menor que {schema['exclusiveMaximum']}.")


def _what(path: str) -> str:
    return f"O campo {path}" if path else "O corpo"


def _is_kind(value: Any, kind: str) -> bool:
    if kind == "integer":
        return _is_kind(value, "number") and value == math.floor(value)
    return isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))
