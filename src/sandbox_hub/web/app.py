"""The application: both environments' paths, the lookup, the panel, and the hub's words for what is not there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from fastapi import FastAPI
from starlette import routing
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sandbox_hub.contract.operation import Api
from sandbox_hub.environment import Environment
from sandbox_hub.web.connections import Wires
from sandbox_hub.web.control import Panel
from sandbox_hub.web.host_check import OwnNameOnly
from sandbox_hub.web.publications.panel import PublicationScreens
from sandbox_hub.web.request_handling import Call, Gate
from sandbox_hub.web.responses import Refusal, not_found
from sandbox_hub.web.routes import BACKOFFICE, MARKETPLACE, Route
from sandbox_hub.web.specs import Specs


def build_app(
    environments: Mapping[str, Environment],
    served: Mapping[str, Environment],
    backoffice: Sequence[Route],
    specs: Specs,
    panel: Panel,
    wires: Wires,
) -> FastAPI:
    """The ASGI application of an origin: `served` answer there; what stands not in `backoffice` is unknown.

    Routes are plain functions of the request: the hub's rules for wrong names and values are not the framework's.
    """
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.add_middleware(OwnNameOnly)
    gate = Gate(environments.values(), wires)
    for environment in served.values():
        for route in backoffice:
            endpoint = gate.guard(environment, route.endpoint, route.possible)
            app.add_route(environment.prefix + route.operation.path, endpoint, methods=[route.operation.method])
        for route in MARKETPLACE:
            endpoint = gate.guard(environment, route.endpoint, route.possible, Api.MARKETPLACE)
            app.add_route(
                environment.marketplace_prefix + route.operation.path, endpoint, methods=[route.operation.method]
            )
        for prefix, api, routes in (
            (environment.prefix, Api.BACKOFFICE, BACKOFFICE),
            (environment.marketplace_prefix, Api.MARKETPLACE, MARKETPLACE),
        ):
            for path, methods in _methods(routes).items():
                refused = _AnyMethod(gate.guard(environment, _OtherMethod(methods), (), api))
                app.router.routes.append(routing.Route(prefix + path, refused))
            nowhere = _AnyMethod(gate.guard(environment, _nowhere, (), api))
            app.router.routes += [routing.Route(prefix + "/{rest:path}", nowhere), routing.Route(prefix, nowhere)]
    app.router.routes += specs.routes()
    panel.add_to(app)
    PublicationScreens(environments, next(iter(served))).add_to(app)
    app.add_exception_handler(404, _not_there)
    app.add_exception_handler(405, _not_there)
    app.add_exception_handler(Exception, _our_fault)
    return app


def _methods(routes: Sequence[Route]) -> dict[str, set[str]]:
    """The methods that each path has at a complete hub."""
    methods: dict[str, set[str]] = {}
    for route in routes:
        named = {route.operation.method, "HEAD"} if route.operation.method == "GET" else {route.operation.method}
        methods.setdefault(route.operation.path, set()).update(named)
    return methods


@dataclass(frozen=True, slots=True)
class _AnyMethod:
    """An endpoint for whatever method: the router asks none of what is no function."""

    respond: Callable[[Request], Awaitable[Response]]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.respond(Request(scope, receive))
        await response(scope, receive, send)


@dataclass(frozen=True, slots=True)
class _OtherMethod:
    """The endpoint of a path for every method but its own."""

    methods: Collection[str]

    async def __call__(self, call: Call) -> Response:
        if call.request.method in self.methods:  # this deployment has it not
            raise not_found("Recurso não encontrado.")
        allowed = ", ".join(sorted(self.methods))
        refusal = Refusal(405, "METHOD_NOT_ALLOWED", "O método não é aceito neste endereço.", f"Aceitos: {allowed}")
        return refusal.response({"Allow": allowed})


async def _nowhere(_call: Call) -> Response:
    raise not_found("Recurso não encontrado.")


async def _not_there(_request: Request, _error: Exception) -> Response:
    return not_found("Recurso não encontrado.").response()


async def _our_fault(_request: Request, error: Exception) -> Response:
    return Refusal(500, "INTERNAL_ERROR", "Erro interno do sandbox.", type(error).__name__).response()
