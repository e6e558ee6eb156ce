"""Parameters that several operations share."""

from __future__ import annotations

from sandbox_hub.contract.operation import Parameter, Special
from sandbox_hub.contract.schema_parts import TEXT, WHOLE
from sandbox_hub.contract.words import Words


def path_id(name: str = "id", words: Words | None = None, *, text: bool = False) -> Parameter:
    """A parameter of the path: a whole number, or (`text`) any text."""
    schema = {**TEXT, "minLength": 1} if text else {**WHOLE, "minimum": 0, "maximum": 10**18 - 1}
    return Parameter(name, words or Words("Identificador.", "Identifier.", "Identificador."), schema, required=True)


def first_moment(name: str, words: Words) -> Parameter:
    """The lower bound of a range of dates."""
    return Parameter(name, words, Special.FIRST_MOMENT)


def last_moment(name: str, words: Words) -> Parameter:
    """The upper bound of a range of dates."""
    return Parameter(name, words, Special.LAST_MOMENT)


def filter_by(name: str, words: Words, schema: dict[str, object] | None = None) -> Parameter:
    """A filter of a list: a text unless it has a schema of its own."""
    return Parameter(name, words, TEXT if schema is None else schema)
