"""The panel for whoever runs the sandbox: what it is, its clock, a cancellation by hand. Never for browsers."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from sandbox_hub.callbacks.callbacks import TOPICS
from sandbox_hub.environment import Environment, read_clock
from sandbox_hub.errors import ClockOutOfRange, SandboxError
from sandbox_hub.options import PRODUCTION, SandboxOptions
from sandbox_hub.posted.invoice_facts import CannotInvoice
from sandbox_hub.shapes.names import in_order
from sandbox_hub.web.files import files_held
from sandbox_hub.web.responses import Refusal, answer, bad_request, bad_value, not_found
from sandbox_hub.world.hub_ids import document_id, item_id
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.parties.companies import MARKETPLACES
from sandbox_hub.world.timeline import hub_time, utc_time

HEADER = "X-Sandbox-Control"
PEM = "application/x-pem-file"
Handler = Callable[[Request], Awaitable[Response]]


class Panel:
    """Endpoints below /sandbox; `leaked` tells whether the other host ever saw a token."""

    def __init__(
        self, environments: Mapping[str, Environment], options: SandboxOptions, leaked: Callable[[], bool]
    ) -> None:
        self._environments = environments
        self._options = options
        self._leaked = leaked
        self._first = environments[options.served[0]]

    def describe(self) -> dict[str, Any]:
        """What the sandbox is; no token."""
        first = self._first.describe()
        return {
            "seed": self._options.seed,
            "environments": list(self._options.served),
            "documents": first["documents"],
            "forget": self._options.forget,
            "anomalies": self._options.anomalies,
            "clean_months": list(self._options.clean_months),
            "withhold": self._options.withhold,
            "catalog_errors": self._options.catalog_errors,
            "shape": in_order(self._first.shapes),
            "strict_bodies": self._options.strict_bodies,
            "contract": self._options.contract,
            "clock": first["clock"],
            "companies": first["companies"],
            "marketplaces": list(MARKETPLACES),
            "faults": {str(fault): rate for fault, rate in self._first.faults.rates.items()},
            "rate_limit": self._options.rate_limit,
            "credentials_leaked": self._leaked(),
            "counts": first["counts"],
            "production": self._environments[PRODUCTION].describe(),
        }

    async def info(self, _request: Request) -> Response:
        return answer(self.describe())

    async def roots(self, _request: Request) -> Response:
        """The test root and the issuer below it that the sandbox's documents chain to, as PEM.

        What plays production here has another root, which nobody is to trust.
        """
        pem = await run_in_threadpool(self._first.authority_pem)  # the first call makes the keys
        return Response(pem, media_type=PEM)

    async def clock(self, request: Request) -> Response:
        """POST {now}: move the clock of both environments, forwards or back."""
        body = await _fields(request, {"now"}, set())
        try:
            now = read_clock(body["now"])
        except ClockOutOfRange:
            raise bad_request("O relógio do sandbox só vai de 2000 a 2099.") from None
        except SandboxError:
            raise bad_value("O campo now deve ser um horário ISO 8601 com fuso.") from None
        for environment in self._environments.values():
            environment.set_clock(now)
            environment.save()
        return answer({"now": hub_time(now)})

    async def cancel(self, request: Request) -> Response:
        """POST {documentKey}: register a cancellation at the clock."""
        body = await _fields(request, {"documentKey"}, {"environment"})
        environment = self._environments.get(body.get("environment", self._first.name))
        if environment is None:
            raise bad_value("O campo environment deve ser sandbox ou production.")
        try:
            index = environment.cancel(body["documentKey"])
        except ValueError:
            raise bad_value("O documento já está cancelado.") from None
        if index is None:
            raise not_found("Documento fiscal não encontrado.")
        environment.save()
        last = environment.documents.occurrences(index)[-1]
        assert last.happening is not None
        return answer(
            {
                "id": document_id(environment.world, index),
                "documentKey": body["documentKey"],
                "at": hub_time(last.at),
                "status": last.happening.status,
            }
        )

    async def invoice(self, request: Request) -> Response:
        """POST {orderId}: the marketplace issues the invoice of an order that was posted and is paid.

        It is a fiscal document from then on; the order itself says nothing of it until it is written to. Again: the
        same invoice.
        """
        body = await _object(request, {"orderId"}, {"environment"})
        environment = self._environments.get(str(body.get("environment", self._first.name)))
        if environment is None:
            raise bad_value("O campo environment deve ser sandbox ou production.")
        order_id = body["orderId"]
        if isinstance(order_id, bool) or not isinstance(order_id, int):
            raise bad_value("O campo orderId deve ser o número do pedido.")
        order = environment.orders.posted.order(order_id)
        if order is None:
            raise not_found("Pedido não encontrado entre os que foram criados com POST /orders.")
        held = environment.invoices.of_order(order_id)
        if not held:
            status = environment.orders.standing(order).status
            if status is not Status.PAID_WAITING_SHIP:
                raise bad_value(f"O pedido está em {status}: só um pedido em PAID_WAITING_SHIP é faturado.")
            try:
                environment.invoice(order)
            except CannotInvoice as error:
                raise bad_value(str(error)) from None
            environment.save()
            held = environment.invoices.of_order(order_id)
        world, invoice = environment.world, held[0]
        return answer(
            {
                "id": document_id(world, invoice.index),
                "documentKey": environment.invoices.key(invoice),
                "orderId": order_id,
                "document_item_id": item_id(world, invoice.index, 0),
                "at": hub_time(invoice.at),
                "invoice": {
                    "series": str(invoice.numbered.series),
                    "number": str(invoice.numbered.number),
                    "accessKey": environment.invoices.key(invoice),
                    "date": utc_time(invoice.numbered.issued),
                },
            }
        )

    async def forget(self, request: Request) -> Response:
        """POST {ids}: the sandbox environment holds these documents no longer; all of them or none."""
        body = await _object(request, {"ids"}, set())
        environment = self._first
        ids = body["ids"]
        if not isinstance(ids, list) or not all(isinstance(name, str) for name in ids):
            raise bad_value("O campo ids deve ser uma lista de textos.")
        indexes = [environment.documents.of_id(name) for name in ids]
        held = [index for index in indexes if index is not None]
        if len(held) < len(indexes):
            raise not_found("Documento fiscal não encontrado.")
        environment.forget(held)
        environment.save()
        return answer({"forgotten": len(held)})

    async def callbacks(self, _request: Request) -> Response:
        """For each environment: where its callbacks go, about what, and how many were delivered or given up."""
        return answer({name: environment.callbacks.describe() for name, environment in self._environments.items()})

    async def set_callbacks(self, request: Request) -> Response:
        """POST {url, topics}: send callbacks there from now on; a url of null sends none."""
        body = await _object(request, {"url", "topics"}, {"environment"})
        url, topics = body["url"], body["topics"]
        environment = self._environments.get(str(body.get("environment", self._first.name)))
        if environment is None:
            raise bad_value("O campo environment deve ser sandbox ou production.")
        if not (url is None or isinstance(url, str)) or not isinstance(topics, list):
            raise bad_value("O campo url deve ser um texto ou null, e topics uma lista.")
        try:
            environment.callbacks.configure(url, topics)
        except SandboxError:
            raise bad_value(
                f"O campo url deve ser um endereço http deste computador; topics: {', '.join(TOPICS)}."
            ) from None
        environment.save()
        return answer(environment.callbacks.describe())

    async def files(self, request: Request) -> Response:
        """Every file of the sandbox environment as of its clock; `sha256=1` adds their digests, which takes long."""
        digests = request.query_params.get("sha256") == "1"
        environment = self._first
        held = await run_in_threadpool(lambda: list(files_held(environment, digests=digests)))
        content = [
            {"id": file.item_id, "document": file.document_id, "documentKey": file.access_key}
            | ({"sha256": file.sha256} if digests else {})
            for file in held
        ]
        return answer({"files": len(held), "content": content})

    async def catalog_errors(self, _request: Request) -> Response:
        """Where the sandbox environment's catalog states something else than the invoices of its world."""
        content = list(self._first.catalog.errors())
        return answer({"errors": len(content), "content": content})

    def add_to(self, app: FastAPI) -> None:
        """Add the panel's routes."""
        for method, name, handler in (
            ("GET", "info", self.info),
            ("GET", "roots", self.roots),
            ("GET", "files", self.files),
            ("GET", "catalog-errors", self.catalog_errors),
            ("GET", "callbacks", self.callbacks),
            ("POST", "callbacks", self.set_callbacks),
            ("POST", "clock", self.clock),
            ("POST", "cancel", self.cancel),
            ("POST", "forget", self.forget),
            ("POST", "invoices", self.invoice),
        ):
            app.add_route(f"/sandbox/{name}", guarded(handler), methods=[method])


def guarded(handler: Handler) -> Handler:
    """Only for programs on this machine: a page in a browser cannot send the header unasked."""

    async def checked(request: Request) -> Response:
        try:
            if "origin" in request.headers or request.headers.get(HEADER) != "1":
                raise Refusal(403, "FORBIDDEN", f"Painel local: envie o cabeçalho {HEADER}: 1.")
            return await handler(request)
        except Refusal as refusal:
            return refusal.response()

    return checked


async def _fields(request: Request, needed: set[str], optional: set[str]) -> dict[str, str]:
    body = await _object(request, needed, optional)
    if not all(isinstance(value, str) for value in body.values()):
        raise bad_value("Os campos devem ser textos.")
    return body


async def _object(request: Request, needed: set[str], optional: set[str]) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise bad_request("O corpo da requisição não é um JSON válido.") from None
    if not isinstance(body, dict) or not needed <= set(body) <= needed | optional:
        raise bad_request("O corpo deve conter: " + ", ".join(sorted(needed)) + ".")
    return body
