"""Whether a value is what a contract's schema asks for: each fault with the field it is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry

from confere.errors import Message, message

_MOST_FAULTS: Final = 20
_MOST_SHOWN: Final = 60  # characters of a value in a sentence
# A choice or a repetition inside a repeated group: the time of such a pattern may double with each character.
_ENDLESS: Final = re.compile(r"[+*}|].*\)[+*{]", re.DOTALL)


class SchemaFault(NamedTuple):
    """One fault: `field` is where it is (`skus[0].price`; empty for the whole), `what` the sentence."""

    field: str
    what: Message


def faults(value: Any, schema: Mapping[str, Any], components: Mapping[str, Any]) -> tuple[SchemaFault, ...]:
    """What is wrong with `value`, in the order of its fields; nothing where it fits, or where the schema has no sense.

    Only references within the contract are followed: a contract from outside must not send us anywhere.
    """
    result: list[SchemaFault] = []
    try:
        validator = _Validator({**schema, "components": dict(components)}, registry=Registry())
        for error in sorted(validator.iter_errors(value), key=lambda error: [str(part) for part in error.path]):
            result += [_fault(leaf) for leaf in _leaves(error)]
            if len(result) >= _MOST_FAULTS:
                break
    except Exception:
        # The contract's own fault, of which there are as many kinds as libraries: the hub itself is the judge then.
        return tuple(result)
    return tuple(result)


def _known_rule(name: str) -> Callable[..., Any]:
    rule: Callable[..., Any] = Draft202012Validator.VALIDATORS[name]
    return rule


def _type(validator: Any, types: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    if instance is not None or schema.get("nullable") is not True:
        yield from _known_rule("type")(validator, types, instance, schema)


def _above(validator: Any, limit: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    if limit is True:
        limit = schema.get("minimum")
    if limit is not None and limit is not False:
        yield from _known_rule("exclusiveMinimum")(validator, limit, instance, schema)


def _below(validator: Any, limit: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    if limit is True:
        limit = schema.get("maximum")
    if limit is not None and limit is not False:
        yield from _known_rule("exclusiveMaximum")(validator, limit, instance, schema)


def _pattern(validator: Any, pattern: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    """What a pattern wants, where it is one of ours: `\\p{L}` is of another dialect, and some would take for ever."""
    if not isinstance(pattern, str) or _ENDLESS.search(pattern):
        return
    with suppress(re.error, RecursionError, OverflowError):
        yield from _known_rule("pattern")(validator, pattern, instance, schema)


_Validator: Final = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"type": _type, "exclusiveMinimum": _above, "exclusiveMaximum": _below, "pattern": _pattern},
)
"""Schemas of OpenAPI 3.1, and what 3.0 writes otherwise: `nullable`, and limits that are excluded by true or false."""


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """The faults behind one that says that no alternative fits: those of the alternative that fits best."""
    if error.validator in ("anyOf", "oneOf") and error.context:
        best = max(error.context, key=lambda inner: len(inner.absolute_path))
        yield best
    else:
        yield error


def _fault(error: ValidationError) -> SchemaFault:
    field = ""
    for part in error.absolute_path:
        field += f"[{part}]" if isinstance(part, int) else f".{part}" if field else str(part)
    wanted = error.validator_value
    if error.validator == "required" and isinstance(error.instance, dict) and isinstance(wanted, list):
        names = [str(name) for name in wanted if name not in error.instance]
        return SchemaFault(_inside(field, names), message("it is missing"))
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
        names = [str(name) for name in error.instance if name not in known]
        return SchemaFault(_inside(field, names), message("the contract has no such field"))
    if error.validator == "type":
        kinds = wanted if isinstance(wanted, list) else [wanted]
        return SchemaFault(field, message("it must be of type {kinds}", kinds=", ".join(map(str, kinds))))
    if error.validator == "enum" and isinstance(wanted, list):
        return SchemaFault(field, message("it must be one of {choices}", choices=", ".join(map(str, wanted))))
    sentence = _LIMITS.get(str(error.validator))
    if wanted is True and error.validator in _OLD_LIMITS and isinstance(error.schema, dict):
        wanted = error.schema.get(_OLD_LIMITS[error.validator])
    if sentence is not None:
        return SchemaFault(field, Message(sentence.id, {"limit": wanted}))
    return SchemaFault(field, message("it breaks the rule {rule}: {limit}", rule=error.validator, limit=_short(wanted)))


def _inside(field: str, names: list[str]) -> str:
    name = names[0] if names else ""
    return f"{field}.{name}" if field and name else field or name


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"


_OLD_LIMITS: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}  # of OpenAPI 3.0
_LIMITS: Final = {
    "minimum": message("it must be at least {limit}"),
    "maximum": message("it must be at most {limit}"),
    "exclusiveMinimum": message("it must be more than {limit}"),
    "exclusiveMaximum": message("it must be less than {limit}"),
    "minLength": message("it must have at least {limit} characters"),
    "maxLength": message("it must have at most {limit} characters"),
    "minItems": message("it must have at least {limit} elements"),
    "maxItems": message("it must have at most {limit} elements"),
    "pattern": message("it must have the form {limit}"),
    "format": message("it must have the format {limit}"),
}
