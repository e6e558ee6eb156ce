"""The middleware's own server: the three hooks, for whoever signs them, and a panel that sets how it behaves."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from sandbox_hub.middleware.behaviour import AdKey, Manner, MarketplaceMemory
from sandbox_hub.middleware.hooks import send_product, statuses
from sandbox_hub.middleware.hub_client import HubClient, HubFailed
from sandbox_hub.publications.hooks import CAN_SAVE, DELETE_PUBLICATION, SEND_PRODUCT
from sandbox_hub.publications.signed_token import issuer_of
from sandbox_hub.web.control import guarded
from sandbox_hub.web.host_check import OwnNameOnly
from sandbox_hub.web.responses import Refusal, answer, bad_request, bad_value, not_found

_LARGEST_BODY = 100_000
_MANNERS = {"canSave": "can_save", "sendProduct": "send_product", "deletePublication": "delete_publication"}
_LONGEST_WAIT = 60.0  # seconds
_LONGEST_TEXT = 120


@dataclass(frozen=True, slots=True)
class Middleware:
    """A marketplace that is reached at `hub`; `secret` is what its hooks are signed with."""

    hub: HubClient
    secret: str = field(repr=False)
    marketplace: MarketplaceMemory = field(default_factory=MarketplaceMemory)

    def app(self) -> FastAPI:
        """The ASGI application."""
        app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
        app.add_middleware(OwnNameOnly)
        for hook, method, manner in (
            (CAN_SAVE, "POST", "can_save"),
            (SEND_PRODUCT, "POST", "send_product"),
            (DELETE_PUBLICATION, "DELETE", "delete_publication"),
        ):
            app.add_route(hook, self._hook(hook, manner), methods=[method])
        app.add_route("/panel", guarded(self._show), methods=["GET"])
        app.add_route("/panel", guarded(self._set), methods=["POST"])
        app.add_route("/panel/report", guarded(self._report), methods=["POST"])
        app.add_exception_handler(404, _not_there)
        app.add_exception_handler(405, _not_there)
        return app

    def _hook(self, hook: str, manner: str) -> Callable[[Request], Awaitable[Response]]:
        async def serve(request: Request) -> Response:
            try:
                body = await _body(request)
                environment = self._environment(request, hook, body)
                event = _object(body)
                response, called = await self._answer(
                    hook, Manner(getattr(self.marketplace.behaviour, manner)), environment, event
                )
            except Refusal as refusal:
                return refusal.response()
            except ClientDisconnect:
                return Response(status_code=400)
            self.marketplace.calls.append(
                {
                    "hook": hook,
                    "environment": environment,
                    "body": event,
                    "status": response.status_code,
                    "called": called,
                }
            )
            return response

        return serve

    async def _answer(
        self, hook: str, manner: Manner, environment: str, event: dict[str, Any]
    ) -> tuple[Response, list[str]]:
        """The answer to a hook, and what was called at the hub for it."""
        behaviour = self.marketplace.behaviour
        if manner is Manner.ERROR:
            return Refusal(500, "INTERNAL_ERROR", "Erro interno do marketplace.").response(), []
        if manner is Manner.NO:
            return bad_value(behaviour.reason).response(), []
        if manner is Manner.SLOW:
            await asyncio.sleep(behaviour.seconds)
        if hook == CAN_SAVE:
            return answer(True), []
        key = AdKey(environment, _publication_id(event))
        if hook == DELETE_PUBLICATION:
            if key in self.marketplace.ads:
                self.marketplace.ads[key].active = False
            return answer({}), []
        if not isinstance(event.get("status"), str):
            raise bad_value("O campo status deve ser um texto.")
        try:
            return answer({}), await send_product(self.marketplace, self.hub, key, event)
        except HubFailed as failure:
            status = "nada" if failure.status is None else str(failure.status)
            return Refusal(503, "HUB_FAILED", f"O hub respondeu {status}.").response(), []

    def _environment(self, request: Request, hook: str, body: bytes) -> str:
        """The environment that signed the hook; 401 where none did."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        issuer = issuer_of(self.secret, token, hook, body, int(time.time())) if scheme.lower() == "bearer" else None
        if issuer is None or issuer not in self.hub.addresses:
            raise Refusal(401, "UNAUTHORIZED", "O token assinado falta ou não é válido.")
        return issuer

    async def _show(self, _request: Request) -> Response:
        return answer(self.marketplace.describe())

    async def _set(self, request: Request) -> Response:
        """POST {canSave, sendProduct, deletePublication: yes|no|slow|error; status, reason, seconds}."""
        body = _object(await _body(request))
        unknown = sorted(set(body) - {*_MANNERS, "status", "reason", "seconds"})
        if unknown:
            raise bad_request("O corpo tem um campo desconhecido.", ", ".join(unknown)[:200])
        changes: dict[str, Any] = {}
        for name, value in body.items():
            if name in _MANNERS:
                if value not in list(Manner):
                    raise bad_value(f"Valor inválido para {name}.", "Aceitos: " + ", ".join(Manner))
                changes[_MANNERS[name]] = Manner(value)
            elif name == "seconds":
                if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= _LONGEST_WAIT:
                    raise bad_value(f"O campo seconds deve ser um número de 0 a {_LONGEST_WAIT:g}.")
                changes[name] = float(value)
            else:
                changes[name] = _text(value, name)
        for attribute, value in changes.items():
            setattr(self.marketplace.behaviour, attribute, value)
        return answer(self.marketplace.describe())

    async def _report(self, request: Request) -> Response:
        """POST {environment, id, status}: the marketplace has looked at an ad again and says what it is now."""
        body = _object(await _body(request))
        if set(body) != {"environment", "id", "status"}:
            raise bad_request("O corpo deve conter: environment, id, status.")
        key = AdKey(str(body["environment"]), body["id"] if isinstance(body["id"], int) else -1)
        ad = self.marketplace.ads.get(key)
        if ad is None:
            raise not_found("O anúncio não existe.")
        status = _text(body["status"], "status")
        try:
            record = await self.hub.report(*key, statuses(status))
        except HubFailed as failure:
            raise bad_value("O hub não aceitou o status.", f"Resposta: {failure.status}") from None
        ad.status = status
        return answer(record)


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_BODY:
            raise bad_request("O corpo da requisição é grande demais.")
    return body


def _object(body: bytes) -> dict[str, Any]:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise bad_request("O corpo da requisição não é um JSON válido.") from None
    if not isinstance(content, dict):
        raise bad_request("O corpo deve ser um objeto.")
    return content


def _publication_id(event: dict[str, Any]) -> int:
    value = event.get("idSkuMarketplace")
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise bad_value("O campo idSkuMarketplace deve ser um número inteiro.")
    return value


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST_TEXT or not value.isprintable():
        raise bad_value(f"O campo {name} deve ser um texto de uma linha, de até {_LONGEST_TEXT} caracteres.")
    return value


async def _not_there(_request: Request, _error: Exception) -> Response:
    return not_found("Recurso não encontrado.").response()
