"""Every feed of the hub: reading what nobody has marked, marking one item, marking many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from sandbox_hub.feeds.feed_item import ChangeReader
from sandbox_hub.shapes.paging import LARGEST_PAGE
from sandbox_hub.web.query import whole_number
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, bad_request, bad_value, not_found


@dataclass(frozen=True, slots=True)
class Feed:
    """The endpoints of one domain's feed."""

    domain: str

    async def read(self, call: Call) -> Response:
        """GET /{domain}/feeds: what nobody has marked, oldest first."""
        limit = call.query(("limit",)).limit(LARGEST_PAGE)
        return answer([{"id": item.id, "token": item.token} for item in self._of(call).unread(limit)])

    async def mark_one(self, call: Call) -> Response:
        """PUT /{domain}/feeds/{id} with {token}, or (unless bodies are strict) with the item itself."""
        call.query()
        item_id = whole_number(call.request.path_params["id"])
        body = await call.json_body()
        if item_id is None or not call.environment.fed(self.domain, item_id):
            raise not_found("Item do feed não encontrado.")
        token = _token(call, body, ("token",))
        if self._of(call).owner(token) != item_id:
            raise bad_value("O token não pertence a este item do feed.")
        return self._mark(call, [token])

    async def mark_batch(self, call: Call) -> Response:
        """PUT /{domain}/feeds/batch with [{id, token}] or {tokens: […]}: all of them or none.

        Unless bodies are strict, an empty one (none, null, {}) marks what was read and is not marked yet.
        """
        call.query()
        strict = call.environment.strict_bodies
        body = await call.json_body(empty=not strict)
        feed = self._of(call)
        if body in (None, {}) and not strict:
            return self._mark(call, feed.given_out())
        if isinstance(body, dict):
            if set(body) != {"tokens"}:
                raise bad_request("O corpo deve conter apenas o campo tokens.")
            if not isinstance(body["tokens"], list) or not all(isinstance(token, str) for token in body["tokens"]):
                raise bad_value("O campo tokens deve ser uma lista de textos.")
            tokens = body["tokens"]
            owners: list[int | None] = [None] * len(tokens)
        elif isinstance(body, list):
            tokens = [_token(call, item, ("id", "token")) for item in body]
            owners = [_whole(item["id"]) if "id" in item else None for item in body]
        else:
            raise bad_request("O corpo deve ser uma lista de itens ou um objeto com o campo tokens.")
        for token, owner in zip(tokens, owners, strict=True):
            known = feed.owner(token)
            if known is None or owner not in (None, known):
                raise bad_value("Há um token que não pertence ao feed; nada foi marcado.")
        return self._mark(call, tokens)

    def _of(self, call: Call) -> ChangeReader:
        return call.environment.feeds[self.domain]

    def _mark(self, call: Call, tokens: list[str]) -> Response:
        self._of(call).mark(tokens)
        call.environment.save()
        return answer({"marked": len(tokens)})


def _whole(value: Any) -> int:
    number = whole_number(str(value))
    return -1 if number is None else number


def _token(call: Call, body: Any, fields: tuple[str, ...]) -> str:
    exact = not call.environment.strict_bodies or (isinstance(body, dict) and set(body) == set(fields))
    if not isinstance(body, dict) or "token" not in body or not exact:
        raise bad_request("O corpo deve conter exatamente: " + ", ".join(fields) + ".")
    if not isinstance(body["token"], str):
        raise bad_value("O campo token deve ser um texto.")
    return body["token"]
