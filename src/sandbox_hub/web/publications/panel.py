"""The seller's screens: creating, sending, changing and deleting publications. Below /sandbox, for programs alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from sandbox_hub.environment import Environment
from sandbox_hub.publications.publication import REMOVED, OfferedSku, Publication
from sandbox_hub.publications.publishing import NotPossible
from sandbox_hub.web.control import Handler, guarded
from sandbox_hub.web.publications.bodies import TERMS, fields_of, read_terms, truth_of, word_of
from sandbox_hub.web.publications.records import panel_record
from sandbox_hub.web.query import whole_number
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, bad_request, bad_value, not_found


@dataclass(frozen=True, slots=True)
class PublicationScreens:
    """Endpoints below /sandbox/publications; `environment` in the query names another than the `usual` one."""

    environments: Mapping[str, Environment]
    usual: str

    async def show(self, request: Request) -> Response:
        """GET: every publication, removed ones too, with what became of its hooks."""
        publications = self._environment(request).publishing.publications
        return answer({"content": [panel_record(publications, publication) for publication in publications.all()]})

    async def create(self, request: Request) -> Response:
        """POST {skuId or skuPartnerId, marketplace}, with the seller's answer `send` and terms where wanted."""
        environment = self._environment(request)
        known = {"skuId", "skuPartnerId", "marketplace", "send", *TERMS}
        fields = fields_of(await Call(environment, request).json_body(), known, strict=True)
        if "marketplace" not in fields or len({"skuId", "skuPartnerId"} & set(fields)) != 1:
            raise bad_request("O corpo deve conter marketplace e um de skuId e skuPartnerId.")
        sku = _sku(environment, fields)
        marketplace = word_of(fields["marketplace"], "marketplace")
        if marketplace not in environment.world.marketplaces:
            raise bad_value("O marketplace não existe.", "Aceitos: " + ", ".join(environment.world.marketplaces))
        terms = read_terms(fields, sku.offer)
        send = truth_of(fields["send"], "send") if "send" in fields else None
        return self._shown(environment, await environment.publishing.create(sku, marketplace, terms, send=send))

    async def send(self, request: Request) -> Response:
        """POST …/{id}/send: the SEND button; {send: false} is the seller's no."""
        environment = self._environment(request)
        body = await Call(environment, request).json_body(empty=True)
        fields = fields_of({} if body is None else body, ("send",), strict=True)
        send = truth_of(fields.get("send", True), "send")
        return self._shown(environment, await environment.publishing.send(_named(environment, request), send=send))

    async def update(self, request: Request) -> Response:
        """POST …/{id} with the terms that change."""
        environment = self._environment(request)
        fields = fields_of(await Call(environment, request).json_body(), TERMS, strict=True)
        if not fields:
            raise bad_request("O corpo deve conter ao menos um campo.", "Aceitos: " + ", ".join(TERMS))
        publication = _named(environment, request)
        return self._shown(
            environment, environment.publishing.update(publication, read_terms(fields, publication.terms))
        )

    async def remove(self, request: Request) -> Response:
        """DELETE …/{id}."""
        environment = self._environment(request)
        publication = _named(environment, request, removed=True)
        return self._shown(environment, environment.publishing.remove(publication))

    def add_to(self, app: FastAPI) -> None:
        """Add the routes, guarded as the panel's own are."""
        for method, path, handler in (
            ("GET", "", self.show),
            ("POST", "", self.create),
            ("POST", "/{id}/send", self.send),
            ("POST", "/{id}", self.update),
            ("DELETE", "/{id}", self.remove),
        ):
            app.add_route(f"/sandbox/publications{path}", guarded(_refusing(handler)), methods=[method])

    def _environment(self, request: Request) -> Environment:
        environment = self.environments.get(request.query_params.get("environment", self.usual))
        if environment is None:
            raise bad_value("O parâmetro environment deve ser sandbox ou production.")
        return environment

    def _shown(self, environment: Environment, publication: Publication) -> Response:
        return answer(panel_record(environment.publishing.publications, publication))


def _refusing(handler: Handler) -> Handler:
    async def refusing(request: Request) -> Response:
        try:
            return await handler(request)
        except NotPossible as why:
            raise bad_value(str(why)) from None

    return refusing


def _sku(environment: Environment, fields: dict[str, Any]) -> OfferedSku:
    if "skuPartnerId" in fields:
        sku = environment.sku_named(word_of(fields["skuPartnerId"], "skuPartnerId"))
    else:
        given = fields["skuId"]
        if not isinstance(given, int) or isinstance(given, bool):
            raise bad_value("O campo skuId deve ser um número inteiro.")
        sku = environment.sku_facts(given)
    if sku is None:
        raise bad_value("O SKU não está cadastrado.")
    return sku


def _named(environment: Environment, request: Request, *, removed: bool = False) -> Publication:
    publication = environment.publishing.publications.get(whole_number(request.path_params["id"]))
    if publication is None or (publication.status == REMOVED and not removed):
        raise not_found("Publicação não encontrada.")
    return publication
