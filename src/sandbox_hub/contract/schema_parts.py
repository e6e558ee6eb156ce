"""Short ways to write JSON Schema: objects, lists, references, and the mark of what the specification does not show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandbox_hub.contract.words import Words

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
ACCESS_KEY: Schema = {"type": "string", "minLength": 44, "maxLength": 44}

_NOT_SHOWN = Words(
    "A especificação não mostra isto: escolha própria deste sandbox.",
    "The specification does not show this: this sandbox's own choice.",
    "La especificación no lo muestra: elección propia de este sandbox.",
)
OWN_CHOICE = "x-own-choice"


def nullable(schema: Schema) -> Schema:
    """What `schema` allows, or null."""
    kinds = schema["type"]
    return {**schema, "type": [kinds, "null"] if isinstance(kinds, str) else [*kinds, "null"]}


def one_of_words(words: Sequence[str]) -> Schema:
    """A text that is one of these."""
    return {"type": "string", "enum": list(words)}


def list_of(items: Schema, **limits: int) -> Schema:
    """An array, with minItems or maxItems where given."""
    return {"type": "array", "items": items, **limits}


def refer(name: str) -> Schema:
    """A reference to one of the document's own schemas."""
    return {"$ref": f"#/components/schemas/{name}"}


def record(properties: dict[str, Schema], *, required: Sequence[str] = (), closed: bool = False, **more: Any) -> Schema:
    """An object; `closed`: it has no other properties than these."""
    schema: Schema = {"type": "object", "properties": properties, **more}
    if required:
        schema["required"] = list(required)
    if closed:
        schema["additionalProperties"] = False
    return schema


def described(schema: Schema, words: Words) -> Schema:
    """The schema with a description."""
    return {**schema, "description": words}


def own(schema: Schema, words: Words | None = None) -> Schema:
    """The schema marked as this sandbox's own choice, with what it means where that needs saying."""
    description = _NOT_SHOWN if words is None else marked(words)
    return {**schema, "description": description, OWN_CHOICE: True}


def marked(words: Words) -> Words:
    """A description that also says that the specification does not show what it describes."""
    return Words(*(f"{said} {mark}" for said, mark in zip(words, _NOT_SHOWN, strict=True)))
