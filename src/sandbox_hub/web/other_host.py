"""The other host that downloads can be sent to: it serves files without credentials and must never see any."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from sandbox_hub.environment import Environment
from sandbox_hub.web.host_check import OwnNameOnly
from sandbox_hub.web.responses import Refusal, not_found


class Elsewhere:
    """`leaked` becomes true, for good, with the first request that carries a serviceToken."""

    def __init__(self, environments: Mapping[str, Environment]) -> None:
        self._environments = environments
        self.leaked = False

    def app(self) -> FastAPI:
        app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
        app.add_middleware(OwnNameOnly)
        app.add_route("/{environment}/{item_id}/content.xml", self._serve, methods=["GET"])
        return app

    async def _serve(self, request: Request) -> Response:
        if "serviceToken" in request.headers:
            self.leaked = True
            return Refusal(400, "CREDENTIALS_LEAKED", "Este servidor não deve receber credenciais.").response()
        environment = self._environments.get(request.path_params["environment"])
        item_id = request.path_params["item_id"]
        ticket = request.query_params.get("ticket", "")
        if environment is None or not secrets.compare_digest(ticket.encode(), environment.ticket(item_id).encode()):
            return not_found("Arquivo não encontrado.").response()
        file = environment.download(item_id)
        if file is None:
            return not_found("Arquivo não encontrado.").response()
        return Response(file[0], media_type=file[1])
