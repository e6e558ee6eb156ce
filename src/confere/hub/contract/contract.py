"""A hub's contract as values: its operations, their parameters and bodies. Whatever does not make sense is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

MOST_BYTES: Final = 8_000_000
"""Of a contract's text; more is no contract."""

_METHODS: Final = ("get", "put", "post", "delete", "patch")
_MOST_OPERATIONS: Final = 2_000
_MOST_REFERENCES: Final = 40  # that lead from one to the next
_DEEPEST: Final = 100  # levels of a document; whoever walks a schema may do so by recursion then
_READING: Final = "GET"
# Of an operation below the account's address: nothing in it leads out of there, or ends the path.
_PATH: Final = re.compile(r"(?:/(?!\.\.?(?:/|$))[A-Za-z0-9._~{}!$&'()*+,;=:@-]+)+/?", re.ASCII)
_JSON: Final = re.compile(r"application/(?:[a-z0-9.+-]+\+)?json(?:\s*;.*)?|\*/\*", re.ASCII | re.IGNORECASE)


class ContractApi(StrEnum):
    """The APIs that a hub publishes contracts of: the seller's, the middleware's, and the hooks called there."""

    BACKOFFICE = "backoffice"
    MARKETPLACE = "marketplace"
    REMOTE = "remote"


class ContractParameter(NamedTuple):
    """`place` is `path` or `query`; `schema` is a JSON Schema without a reference at its top."""

    name: str
    place: str
    required: bool
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ContractOperation:
    """One operation. `method` in capitals, `path` below the account's address with parameters in braces.

    `body` is the JSON Schema of what is sent, None where nothing is; `examples` are bodies by name.
    """

    id: str
    method: str
    path: str
    tags: tuple[str, ...]
    summary: str
    description: str
    parameters: tuple[ContractParameter, ...]
    body: Mapping[str, Any] | None
    body_required: bool
    examples: Mapping[str, Any]

    @property
    def writes(self) -> bool:
        """Whether it may change something at the hub."""
        return self.method != _READING

    def query(self, name: str) -> ContractParameter | None:
        """The query parameter of this name."""
        return next((given for given in self.parameters if given.place == "query" and given.name == name), None)


@dataclass(frozen=True, slots=True)
class Contract:
    """A hub's contract; `components` are the schemas that others refer to, as they came."""

    title: str
    operations: tuple[ContractOperation, ...]
    components: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def at(self, method: str, path: str) -> ContractOperation | None:
        """The operation of this method and path."""
        return next((each for each in self.operations if each.method == method and each.path == path), None)

    def named(self, operation_id: str) -> ContractOperation | None:
        """The operation of this id."""
        return next((each for each in self.operations if each.id == operation_id), None)


@lru_cache(maxsize=4)
def read_contract(text: str | bytes) -> Contract:
    """The contract that an OpenAPI document holds, read once. Raises `ValueError` where the text is none."""
    if len(text) > MOST_BYTES:
        raise ValueError("too large for a contract")
    try:
        document = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _is_deep(document):
        raise ValueError("nested too deeply")
    if not isinstance(document, dict) or not isinstance(document.get("paths"), dict):
        raise ValueError("no OpenAPI document")
    operations = []
    for path, item in document["paths"].items():
        if isinstance(item, dict) and _PATH.fullmatch(path):
            for method in _METHODS:
                if isinstance(item.get(method), dict):
                    operations.append(_operation(document, path, method, item))
    if not operations or len(operations) > _MOST_OPERATIONS:
        raise ValueError("no operations, or too many")
    info = _object(document.get("info"))
    return Contract(_text(info.get("title")), tuple(operations), _object(document.get("components")))


def _operation(document: Mapping[str, Any], path: str, method: str, item: Mapping[str, Any]) -> ContractOperation:
    content = item[method]
    request = _resolved(document, _object(content.get("requestBody")))
    sent = _sent_as_json(_object(request.get("content")))
    examples = {
        str(name): example["value"]
        for name, example in _object(sent.get("examples")).items()
        if isinstance(example, dict) and "value" in example
    }
    if "example" in sent:
        examples.setdefault("example", sent["example"])
    return ContractOperation(
        id=_text(content.get("operationId")) or f"{method} {path}",
        method=method.upper(),
        path=path,
        tags=tuple(tag for tag in _list(content.get("tags")) if isinstance(tag, str)),
        summary=_text(content.get("summary")),
        description=_text(content.get("description")),
        parameters=_parameters(document, (*_list(item.get("parameters")), *_list(content.get("parameters")))),
        body=_object(sent.get("schema")) if "schema" in sent else None,
        body_required=request.get("required") is True,
        examples=examples,
    )


def _is_deep(document: Any) -> bool:
    level = [document]
    for _ in range(_DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _sent_as_json(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """How a body is described as JSON, whatever parameters its media type has; {} where it is not sent as that."""
    return next((_object(described) for kind, described in content.items() if _JSON.fullmatch(kind.strip())), {})


def _parameters(document: Mapping[str, Any], given: tuple[Any, ...]) -> tuple[ContractParameter, ...]:
    """Each once: an operation's own takes the place of that of its path."""
    parameters: dict[tuple[str, str], ContractParameter] = {}
    for content in given:
        parameter = _resolved(document, _object(content))
        name, place = parameter.get("name"), parameter.get("in")
        if isinstance(name, str) and name and place in ("path", "query"):
            schema = _resolved(document, _object(parameter.get("schema")))
            required = parameter.get("required") is True or place == "path"
            parameters[name, place] = ContractParameter(
                name, place, required, _text(parameter.get("description")), schema
            )
    return tuple(parameters.values())


def _resolved(document: Mapping[str, Any], content: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a reference within the document leads to; the content itself where it is none, {} where it leads nowhere."""
    for _ in range(_MOST_REFERENCES):
        reference = content.get("$ref")
        if not isinstance(reference, str):
            return content
        target: Any = document if reference.startswith("#/") else None
        for part in reference.removeprefix("#/").split("/"):
            target = _part(target, part.replace("~1", "/").replace("~0", "~"))
        content = _object(target)
    return {}


def _part(value: Any, name: str) -> Any:
    """The member or element of this name. Source: RFC 6901, 4."""
    if isinstance(value, list):
        return value[int(name)] if name.isdecimal() and len(name) < 9 and int(name) < len(value) else None
    return value.get(name) if isinstance(value, dict) else None


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
