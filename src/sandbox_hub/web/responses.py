"""Answers and refusals in the hub's own shapes."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

JSON = "application/json"
XML = "application/xml"
HTML = "text/html; charset=utf-8"
HTML_PAGE = (
    b"<!DOCTYPE html>\n<html lang='pt-BR'><head><title>Hub</title></head>"
    b"<body><h1>Estamos em manuten\xc3\xa7\xc3\xa3o</h1><p>Volte em instantes.</p></body></html>\n"
)


class Refusal(Exception):
    """Ends the handling of a request with this status and error body."""

    def __init__(self, status: int, code: str, message: str, details: str = "") -> None:
        super().__init__(status, code)
        self.status = status
        self.code = code
        self.message = message
        self.details = details

    def response(self, headers: dict[str, str] | None = None) -> Response:
        body = {"code": self.code, "message": self.message, "details": self.details or None, "resources": None}
        return Response(encode(body), self.status, headers, JSON)


def encode(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def answer(content: Any) -> Response:
    """200 with JSON."""
    return Response(encode(content), media_type=JSON)


def created(content: Any) -> Response:
    """201 with JSON."""
    return Response(encode(content), 201, media_type=JSON)


def bad_request(message: str, details: str = "") -> Refusal:
    return Refusal(400, "BAD_REQUEST", message, details)


def bad_value(message: str, details: str = "") -> Refusal:
    return Refusal(422, "UNPROCESSABLE_ENTITY", message, details)


def not_found(message: str) -> Refusal:
    return Refusal(404, "NOT_FOUND", message)
