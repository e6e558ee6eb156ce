"""One request on its way through an environment: who asks, what may go wrong, what is answered."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from email.utils import format_datetime
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from sandbox_hub.contract.operation import Api
from sandbox_hub.environment import Environment
from sandbox_hub.faults.plan import Fault, Mishap
from sandbox_hub.limits import retry_after
from sandbox_hub.web.connections import TornResponse, Wires
from sandbox_hub.web.query import Query
from sandbox_hub.web.responses import HTML, HTML_PAGE, Refusal, bad_request

_LARGEST_BODY = 1_000_000


@dataclass(frozen=True, slots=True)
class Call:
    """What an endpoint needs to know about its request."""

    environment: Environment
    request: Request
    shift: Mishap | None = None

    @property
    def raw_query(self) -> bytes:
        return bytes(self.request.scope["query_string"])

    def query(self, known: Collection[str] = (), *, paged: bool = False) -> Query:
        """The request's parameters, read by this hub's rules; `paged` adds those that ask for a page."""
        return Query(self.raw_query, self.environment.shapes, known, paged=paged)

    @property
    def address(self) -> str:
        """The environment's address on the origin that the client used."""
        host = self.request.headers.get("host", "127.0.0.1")
        return f"http://{host}{self.environment.prefix}"

    async def json_body(self, *, empty: bool = False) -> Any:
        """The request's JSON; 400 where it is not JSON or absurdly large. `empty`: no body at all is None."""
        try:
            body = b""
            async for chunk in self.request.stream():
                body += chunk
                if len(body) > _LARGEST_BODY:
                    raise bad_request("O corpo da requisição é grande demais.")
            if empty and not body.strip():
                return None
            content = json.loads(body)
            # Half of a surrogate pair, NaN and what is too large for a number have no way back into JSON.
            json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
            return content
        except (ValueError, RecursionError):
            raise bad_request("O corpo da requisição não é um JSON válido.") from None


Endpoint = Callable[[Call], Awaitable[Response]]
_EVERYWHERE = frozenset({Fault.RATE_429, Fault.ERROR_5XX, Fault.SLOW, Fault.RESET})
READING = _EVERYWHERE | {Fault.HTML}
LISTING = READING | {Fault.SHIFT}
DOWNLOADING = READING | {Fault.TRUNCATED}
WRITING = _EVERYWHERE


class Gate:
    """Checks credentials and rate, then lets the request meet its fault and its endpoint."""

    def __init__(self, environments: Collection[Environment], wires: Wires) -> None:
        self._environments = tuple(environments)
        self._wires = wires

    def guard(
        self, environment: Environment, endpoint: Endpoint, possible: Collection[Fault], api: Api = Api.BACKOFFICE
    ) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint as the router calls it; each API has credentials and a rate limit of its own."""

        async def guarded(request: Request) -> Response:
            response = await self._respond(environment, endpoint, request, possible, api)
            # The hub's clock is the world's: who asks for what is new since its last Date must find it.
            response.headers["date"] = format_datetime(environment.now, usegmt=True)
            return response

        return guarded

    async def _respond(
        self, environment: Environment, endpoint: Endpoint, request: Request, possible: Collection[Fault], api: Api
    ) -> Response:
        try:
            self._check_credentials(environment, request, api)
            bucket = environment.marketplace_bucket if api is Api.MARKETPLACE else environment.bucket
            wait = bucket.take()
            if wait:
                return _too_many(environment, wait)
            return await self._answer(environment, endpoint, request, possible)
        except Refusal as refusal:
            return refusal.response()
        except ClientDisconnect:
            return Response(status_code=400)

    def _check_credentials(self, environment: Environment, request: Request, api: Api) -> None:
        whose, secret = ("appId", "token") if api is Api.MARKETPLACE else ("platform", "serviceToken")
        token, caller = request.headers.get(secret, ""), request.headers.get(whose, "").strip()
        if not token or not caller:
            raise Refusal(401, "UNAUTHORIZED", f"Os cabeçalhos {secret} e {whose} são obrigatórios.")
        if api is Api.MARKETPLACE and not _same(caller, environment.app_id):
            raise Refusal(401, "UNAUTHORIZED", "O appId não é o de um marketplace conhecido.")
        if _same(token, _token(environment, api)):
            return
        for other in self._environments:
            if _same(token, _token(other, api)):
                raise Refusal(
                    401,
                    "WRONG_ENVIRONMENT",
                    f"Este token pertence a outro ambiente ({other.name}).",
                    f"Este endereço é do ambiente {environment.name}.",
                )
        raise Refusal(401, "UNAUTHORIZED", "Token inválido.")

    async def _answer(
        self, environment: Environment, endpoint: Endpoint, request: Request, possible: Collection[Fault]
    ) -> Response:
        mishap = environment.next_mishap(possible)
        if mishap is None:
            return await endpoint(Call(environment, request))
        if mishap.fault is Fault.RATE_429:
            return _too_many(environment, 1)
        if mishap.fault is Fault.ERROR_5XX:
            return _broken(mishap.throw)
        if mishap.fault is Fault.HTML:
            return Response(HTML_PAGE, media_type=HTML)
        if mishap.fault is Fault.SLOW:
            await asyncio.sleep(0.2 + mishap.throw % 600 / 1_000)
        shift = mishap if mishap.fault is Fault.SHIFT else None
        response = await endpoint(Call(environment, request, shift))
        if mishap.fault is Fault.TRUNCATED and response.status_code == 200:
            body = bytes(response.body)
            return Response(body[: 1 + mishap.throw % (len(body) - 1)], media_type=response.media_type)
        if mishap.fault is Fault.RESET:
            return TornResponse(response, self._wires, silent=bool(mishap.throw & 1))
        return response


def _token(environment: Environment, api: Api) -> str:
    return environment.app_token if api is Api.MARKETPLACE else environment.token


def _same(given: str, right: str) -> bool:
    return secrets.compare_digest(given.encode(), right.encode())


def _too_many(environment: Environment, wait: float) -> Response:
    environment.counts["refused for rate"] += 1
    refusal = Refusal(429, "TOO_MANY_REQUESTS", "Limite de requisições excedido. Tente novamente em instantes.")
    return refusal.response(retry_after(environment.retry_after, wait, environment.now))


def _broken(throw: int) -> Response:
    status = (500, 502, 503)[throw % 3]
    if status == 502:
        return Response(b"<html><body><h1>502 Bad Gateway</h1></body></html>", status, media_type=HTML)
    return Refusal(status, "INTERNAL_ERROR", "Erro interno do hub. Tente novamente.").response()
