"""The Spec lookup API below /specs: public, without credentials."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sandbox_hub.contract.lookup import Lookup
from sandbox_hub.contract.operation import Api
from sandbox_hub.web.responses import answer, not_found

_APIS = {api.value: api for api in Api}


class Specs:
    """The four kinds of address of the lookup; `lookup` None: this hub publishes no contract."""

    def __init__(self, lookup: Lookup | None) -> None:
        self._lookup = lookup

    def routes(self) -> list[Route]:
        """The routes, all GET."""
        return [
            Route("/specs/{rest:path}", self._respond, methods=["GET"]),
        ]

    async def _respond(self, request: Request) -> Response:
        if self._lookup is None:
            return not_found("Este hub não publica o contrato.").response()
        parts = str(request.path_params["rest"]).split("/")
        if parts == ["index.json"]:
            return answer(self._lookup.index())
        if not parts[-1].endswith(".json"):
            return _unknown()
        parts[-1] = parts[-1].removesuffix(".json")
        if len(parts) == 1:
            name, _, language = parts[0].partition(".")
            return answer(self._lookup.document(_APIS[name], language)) if name in _APIS and language else _unknown()
        if parts[0] not in _APIS or len(parts) not in (3, 4) or parts[2] != "operations":
            return _unknown()
        api, language = _APIS[parts[0]], parts[1]
        if len(parts) == 3:
            return answer(self._lookup.operations(api, language))
        operation = self._lookup.operation(api, language, parts[3])
        if operation is None:
            return not_found(f"Não há operação {parts[3][:80]} em {api.value}.").response()
        return answer(operation)


def _unknown() -> Response:
    names = ", ".join(_APIS)
    return not_found(f"Contrato não encontrado. Há {names}, cada um em pt-BR, en e es.").response()
