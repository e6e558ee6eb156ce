"""Calling the hooks of a marketplace's middleware: signed, bounded in time, size and tries."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx

from sandbox_hub.publications.signed_token import sign

CAN_SAVE = "/canSave"
SEND_PRODUCT = "/sendProduct"
DELETE_PUBLICATION = "/deletePublication"
PAUSES = (0.1, 0.3)  # seconds before each further try: own choice
_METHODS = {CAN_SAVE: "POST", SEND_PRODUCT: "POST", DELETE_PUBLICATION: "DELETE"}
_LARGEST_ANSWER = 65_536
_LONGEST_REASON = 300


class HookAnswer(NamedTuple):
    """What came of a call: `status` None where nothing answered; `reason` says why it is no success."""

    tries: int
    status: int | None
    content: Any
    reason: str

    @property
    def delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Hooks:
    """The middleware at `address` (None: there is none), called by the environment `issuer`; `timeout` in seconds."""

    address: str | None
    issuer: str
    secret: str = field(repr=False)
    timeout: float

    async def call(self, hook: str, body: Mapping[str, Any]) -> HookAnswer:
        """Call a hook until it answers with anything but 429 or 5xx, a few times at most."""
        if self.address is None:
            return HookAnswer(0, None, None, "Nenhum middleware está configurado.")
        content = json.dumps(body, ensure_ascii=False).encode()
        # No proxy and no trusted certificates: the address is http on this machine.
        async with httpx.AsyncClient(
            trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), timeout=self.timeout
        ) as http:
            for tries, pause in enumerate((*PAUSES, None), start=1):
                answer = (await self._try(http, hook, content))._replace(tries=tries)
                if pause is None or not (answer.status is None or answer.status == 429 or answer.status >= 500):
                    break
                await asyncio.sleep(pause)
        return answer

    async def _try(self, http: httpx.AsyncClient, hook: str, content: bytes) -> HookAnswer:
        headers = {
            "Authorization": f"Bearer {sign(self.secret, self.issuer, hook, content, int(time.time()))}",
            "Content-Type": "application/json",
        }
        body = b""
        try:
            async with asyncio.timeout(self.timeout):  # of the whole: each piece alone could come in time for ever
                request = http.stream(_METHODS[hook], f"{self.address}{hook}", content=content, headers=headers)
                async with request as response:
                    async for chunk in response.aiter_bytes():
                        body += chunk
                        if len(body) > _LARGEST_ANSWER:
                            return HookAnswer(1, response.status_code, None, "O middleware respondeu demais.")
        except (TimeoutError, httpx.TimeoutException):
            return HookAnswer(1, None, None, f"O middleware não respondeu em {self.timeout:g} s.")
        except httpx.HTTPError:
            return HookAnswer(1, None, None, "O middleware não pôde ser alcançado.")
        try:
            answered = json.loads(body)
        except (ValueError, RecursionError):
            answered = None
        return HookAnswer(1, response.status_code, answered, _reason(response.status_code, answered))


def _reason(status: int, content: Any) -> str:
    """Why an answer is no plain yes: the middleware's own words where it has any."""
    words = content.get("message") if isinstance(content, dict) else content
    if isinstance(words, str) and words.strip():
        # Lone surrogates, which JSON can name, could not be shown again.
        return words.strip()[:_LONGEST_REASON].encode(errors="replace").decode()
    return "" if 200 <= status < 300 else f"O middleware respondeu com o status {status}."
