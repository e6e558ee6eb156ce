"""What the Spec lookup API answers: the index, a document, its operations, one operation with everything inlined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox_hub.contract.conventions import Conventions
from sandbox_hub.contract.document import build_document
from sandbox_hub.contract.operation import Api, Operation
from sandbox_hub.contract.schema_parts import OWN_CHOICE
from sandbox_hub.contract.words import FALLBACK, LANGUAGES, localized

_PREFIX = "specs"


class Lookup:
    """The contract of one hub; `operations` are those that it serves, `servers` the addresses of its APIs.

    A language that is missing is answered in Portuguese.
    """

    def __init__(
        self, operations: Mapping[Api, Sequence[Operation]], conventions: Conventions, servers: Mapping[Api, str]
    ) -> None:
        self._operations = operations
        self._conventions = conventions
        self._servers = servers

    def index(self) -> list[dict[str, Any]]:
        """The manifest: every API in every language."""
        return [
            {
                "id": api.value,
                "lang": language,
                "operations": len(self._operations[api]),
                "operationHrefs": [_href(api, language, operation) for operation in self._operations[api]],
                "url": f"{_PREFIX}/{api.value}.{language}.json",
            }
            for api in Api
            for language in LANGUAGES
        ]

    def document(self, api: Api, language: str) -> dict[str, Any]:
        """The complete document."""
        language = _spoken(language)
        return build_document(api, tuple(self._operations[api]), self._conventions, language, self._servers[api])

    def operations(self, api: Api, language: str) -> list[dict[str, Any]]:
        """The list of operations."""
        language = _spoken(language)
        entries = [
            {
                "operationId": operation.id,
                "method": operation.method,
                "path": operation.path,
                "summary": operation.summary,
                "tags": [operation.tag],
                "href": _href(api, language, operation),
            }
            for operation in self._operations[api]
        ]
        return localized(entries, language)  # type: ignore[no-any-return]

    def operation(self, api: Api, language: str, slug: str) -> dict[str, Any] | None:
        """One operation without any reference; None where there is none of this slug."""
        for operation in self._operations[api]:
            if operation.slug == slug:
                break
        else:
            return None
        document = self.document(api, language)
        whole = document["paths"][operation.path][operation.method.lower()]
        responses = {
            status: {"description": response["description"]}
            | ({"schema": next(iter(response["content"].values())).get("schema", {})} if "content" in response else {})
            for status, response in whole["responses"].items()
        }
        resolved = {
            "operationId": operation.id,
            "method": operation.method,
            "path": operation.path,
            "tags": whole["tags"],
            **({OWN_CHOICE: True} if operation.own_choice else {}),
            "summary": whole["summary"],
            **({"description": whole["description"]} if "description" in whole else {}),
            "parameters": whole.get("parameters", []),
            "requestBody": whole.get("requestBody", {}).get("content"),
            "responses": responses,
        }
        return _inlined(resolved, document["components"]["schemas"])  # type: ignore[no-any-return]


def _href(api: Api, language: str, operation: Operation) -> str:
    return f"{_PREFIX}/{api.value}/{language}/operations/{operation.slug}.json"


def _spoken(language: str) -> str:
    return language if language in LANGUAGES else FALLBACK


def _inlined(content: Any, schemas: Mapping[str, Any]) -> Any:
    """A copy in which every reference is the object itself; no schema refers to itself."""
    if isinstance(content, dict):
        if "$ref" in content:
            beside = {name: value for name, value in content.items() if name != "$ref"}
            return {**_inlined(schemas[content["$ref"].rsplit("/", 1)[1]], schemas), **beside}
        return {name: _inlined(value, schemas) for name, value in content.items()}
    if isinstance(content, list):
        return [_inlined(value, schemas) for value in content]
    return content
