"""What the middleware asks and reports at the hub, each call tried a few times."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

_PAUSES = (0.05, 0.2, 0.5)  # seconds before each further try
_TIMEOUT = 5.0  # seconds


class HubFailed(Exception):
    """The hub did not take a call; `status` is its last answer's, None where nothing answered."""

    def __init__(self, status: int | None) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class HubClient:
    """`addresses` and `tokens` by environment."""

    addresses: Mapping[str, str]
    app_id: str
    tokens: Mapping[str, str] = field(repr=False)

    async def fetch(self, environment: str, publication_id: int) -> dict[str, Any]:
        """The publication's record."""
        return await self._call("GET", environment, f"/skumarketplace/{publication_id}", None)

    async def report(self, environment: str, publication_id: int, body: Mapping[str, Any]) -> dict[str, Any]:
        """PUT the publication's status."""
        return await self._call("PUT", environment, f"/skumarketplace/{publication_id}", body)

    async def report_price_and_stock(
        self, environment: str, publication_id: int, body: Mapping[str, Any]
    ) -> dict[str, Any]:
        """PUT its price and stock."""
        return await self._call("PUT", environment, f"/skumarketplace/{publication_id}/priceStock", body)

    async def _call(self, method: str, environment: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        headers = {"appId": self.app_id, "token": self.tokens[environment]}
        status = None
        async with httpx.AsyncClient(
            trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), timeout=_TIMEOUT, headers=headers
        ) as http:
            for pause in (*_PAUSES, None):
                try:
                    response = await http.request(method, self.addresses[environment] + path, json=body)
                    status = response.status_code
                    answered = response.json() if status == 200 else None
                    if isinstance(answered, dict):
                        return answered
                except (httpx.HTTPError, ValueError):  # ValueError: a page in place of JSON
                    status = None
                if pause is None or (status is not None and 400 <= status < 500 and status != 429):
                    break
                await asyncio.sleep(pause)
        raise HubFailed(status)
