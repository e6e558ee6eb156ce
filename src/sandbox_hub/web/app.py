"""The application: both environments' paths, the panel, and the hub's own words for what is not there."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from sandbox_hub.environment import Environment
from sandbox_hub.faults.plan import Fault
from sandbox_hub.web.connections import Wires
from sandbox_hub.web.control import Panel
from sandbox_hub.web.fiscal_documents import download_file, list_documents, one_document
from sandbox_hub.web.host_check import OwnNameOnly
from sandbox_hub.web.orders.order_moves import MoveOrder
from sandbox_hub.web.orders.orders import list_orders, mark_batch, mark_one, one_order, read_feed
from sandbox_hub.web.orders.returns import list_returns
from sandbox_hub.web.request_handling import DOWNLOADING, LISTING, READING, WRITING, Call, Endpoint, Gate
from sandbox_hub.web.responses import Refusal, not_found
from sandbox_hub.world.orders.order_lifecycle import Status

_ANY = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]


def build_app(
    environments: Mapping[str, Environment],
    panel: Panel,
    wires: Wires,
    absent: Collection[tuple[str, str]] = (),
) -> FastAPI:
    """The ASGI application; `absent` (method, path) are of another deployment, and unknown here.

    Routes are plain functions of the request: the hub's rules for wrong names and values are not the framework's.
    """
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.add_middleware(OwnNameOnly)
    gate = Gate(environments.values(), wires)
    routes: list[tuple[str, str, Endpoint, Collection[Fault]]] = [
        ("GET", "/fiscalDocuments", list_documents, LISTING),
        ("GET", "/fiscalDocuments/download/{item_id}", download_file, DOWNLOADING),
        ("GET", "/fiscalDocuments/{id}", one_document, READING),
        ("GET", "/orders", list_orders, LISTING),
        ("GET", "/orders/feeds", read_feed, READING),
        ("PUT", "/orders/feeds/batch", mark_batch, WRITING),
        ("PUT", "/orders/feeds/{id}", mark_one, WRITING),
        ("GET", "/orders/{id}", one_order, READING),
        ("PUT", "/orders/{id}", MoveOrder(), WRITING),
        ("PUT", "/orders/{id}/faturado", MoveOrder(Status.INVOICED), WRITING),
        ("PUT", "/orders/{id}/enviado", MoveOrder(Status.PAID_WAITING_DELIVERY), WRITING),
        ("PUT", "/orders/{id}/concluido", MoveOrder(Status.CONCLUDED), WRITING),
        ("PUT", "/orders/{id}/cancelado", MoveOrder(Status.CANCELED), WRITING),
        ("GET", "/returns", list_returns, LISTING),
    ]
    routes = [route for route in routes if route[:2] not in absent]
    for environment in environments.values():
        for method, path, endpoint, possible in routes:
            app.add_route(environment.prefix + path, gate.guard(environment, endpoint, possible), methods=[method])
        app.add_route(environment.prefix + "/{rest:path}", gate.guard(environment, _nowhere, ()), methods=_ANY)
        app.add_route(environment.prefix, gate.guard(environment, _nowhere, ()), methods=_ANY)
    app.add_route("/sandbox/info", panel.guarded(panel.info), methods=["GET"])
    app.add_route("/sandbox/roots", panel.guarded(panel.roots), methods=["GET"])
    app.add_route("/sandbox/clock", panel.guarded(panel.clock), methods=["POST"])
    app.add_route("/sandbox/cancel", panel.guarded(panel.cancel), methods=["POST"])
    app.add_route("/sandbox/forget", panel.guarded(panel.forget), methods=["POST"])
    app.add_route("/sandbox/files", panel.guarded(panel.files), methods=["GET"])
    app.add_exception_handler(404, _not_there)
    app.add_exception_handler(405, _not_there)
    app.add_exception_handler(Exception, _our_fault)
    return app


async def _nowhere(_call: Call) -> Response:
    raise not_found("Recurso não encontrado.")


async def _not_there(_request: Request, _error: Exception) -> Response:
    return not_found("Recurso não encontrado.").response()


async def _our_fault(_request: Request, error: Exception) -> Response:
    return Refusal(500, "INTERNAL_ERROR", "Erro interno do sandbox.", type(error).__name__).response()
