"""Two ways to the same operation of the backoffice: a plain HTTP request, and `confere hub call`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from tests.hub.rows.bench import Bench

_Value = TypeVar("_Value")
_PARAMETER = re.compile(r"\{([^}]+)\}")


class Door(Protocol):
    """`path` has its parameters in braces, as the specification writes them."""

    bench: Bench

    def write(self, method: str, path: str, body: Any, **parameters: Any) -> Any:
        """The answer to a request that must succeed."""
        ...

    def read(self, path: str, **parameters: Any) -> Any:
        """The answer to a GET that must succeed; other parameters are the query's."""
        ...

    def refused(self, method: str, path: str, body: Any, status: int, **parameters: Any) -> str:
        """The words with which a request is refused that would be answered with this status."""
        ...

    def once(self, name: str, make: Callable[[], _Value]) -> _Value:
        """What `make` gives, made once for this way."""
        ...


class HubDoor:
    """Plain HTTP."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def write(self, method: str, path: str, body: Any, **parameters: Any) -> Any:
        address, query = _filled(path, parameters)
        return self.bench.done(method, address, body, 201 if method == "POST" else 200, **query)

    def read(self, path: str, **parameters: Any) -> Any:
        address, query = _filled(path, parameters)
        return self.bench.done("GET", address, **query)

    def refused(self, method: str, path: str, body: Any, status: int, **parameters: Any) -> str:
        address, query = _filled(path, parameters)
        answer = self.bench.done(method, address, body, status, **query)
        return f"{answer['message']} {answer['details'] or ''}"

    def once(self, name: str, make: Callable[[], _Value]) -> _Value:
        return self.bench.once(f"hub {name}", make)


class ClientDoor:
    """`confere hub call`, which finds the operation by the hub's contract."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def write(self, method: str, path: str, body: Any, **parameters: Any) -> Any:
        result = self.bench.call(self._operation(method, path), body, **parameters)
        assert result["outcome"] == "answered", result
        return result["answer"]

    def read(self, path: str, **parameters: Any) -> Any:
        return self.bench.call(self._operation("GET", path), **parameters)["answer"]

    def refused(self, method: str, path: str, body: Any, status: int, **parameters: Any) -> str:
        """By the client before anything is sent, where the contract tells; else in the hub's words."""
        given = [part for name, value in parameters.items() for part in ("--param", f"{name}={value}")]
        arguments = ("hub", "call", self._operation(method, path), *given, "--yes", "--json", "--body", "-")
        ran = self.bench.command(self.bench.home, *arguments, text=json.dumps(body, ensure_ascii=False))
        if ran.code == 2:
            return str(ran.json["error"]["what"])
        assert (ran.code, ran.json["result"]["outcome"]) == (1, "refused"), ran
        assert ran.json["result"]["status"] == status
        return str(ran.json["result"]["hub_words"])

    def once(self, name: str, make: Callable[[], _Value]) -> _Value:
        return self.bench.once(f"client {name}", make)

    def _operation(self, method: str, path: str) -> str:
        """The operation's id; that it was looked up is no call of the row's."""
        before, self.bench.calls = self.bench.calls, []
        try:
            known = self.bench.once("operations", lambda: self.bench.confere("hub", "operations")["operations"])
        finally:
            self.bench.calls = before
        names = [each["id"] for each in known if (each["method"], each["path"]) == (method, path)]
        assert names, f"the client knows no operation {method} {path}"
        return str(names[0])


def _filled(path: str, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The path with its parameters, and the rest of them."""
    names = _PARAMETER.findall(path)
    query = {name: value for name, value in parameters.items() if name not in names}
    return _PARAMETER.sub(lambda match: str(parameters[match[1]]), path), query
