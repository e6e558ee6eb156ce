"""Fetching a hub's contract from its Spec lookup API: public, so no credentials go there.

Source: interfaces.md, "Spec lookup API": `{site_root}/specs/{id}.{lang}.json`, pt-BR where a language is missing.
"""

from __future__ import annotations

import time
from typing import Final

import httpx

from confere.errors import HubUnreachable, message
from confere.hub.address import origin
from confere.hub.contract.contract import MOST_BYTES, ContractApi, read_contract
from confere.hub.http.exchange import Exchange, NoAnswer, Watch
from confere.hub.http.status_errors import BadAnswer

LANGUAGES: Final = {"pt_BR": "pt-BR", "en": "en", "es": "es"}
"""How the lookup writes the languages of the program."""

_FALLBACK: Final = "pt-BR"
_PATIENCE: Final = httpx.Timeout(4.0)  # everything works without a contract: nobody waits long for it
_LONGEST: Final = 15.0  # seconds in all, also where the answer drips
_OK, _NOT_FOUND = 200, 404


def site_root(address: str) -> str:
    """The root of the site that an account's address is on."""
    scheme, host, port = origin(httpx.URL(address))
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def fetch(address: str, language: str, api: ContractApi = ContractApi.BACKOFFICE) -> str | None:
    """The text of the contract of the hub at an account's address; empty where the hub says that it has none, None
    where it gives no usable answer.

    `language` is one of the program's, `api` says whose; each address is asked for once, without credentials.
    """
    root, ends = site_root(address), time.monotonic() + _LONGEST

    def going_on() -> None:
        if time.monotonic() > ends:
            what = message("{host} sends its answer too slowly to wait for.", host=root)
            raise NoAnswer(HubUnreachable(what), again=False)

    exchange = Exchange(address, {}, connections=1, timeout=_PATIENCE)
    try:
        for name in dict.fromkeys((LANGUAGES.get(language, _FALLBACK), _FALLBACK)):
            url = httpx.URL(f"{root}/specs/{api}.{name}.json")
            answer = exchange.run_address(url, MOST_BYTES, Watch(time.monotonic, _ignore, _nothing, going_on))
            if answer.status == _NOT_FOUND:
                continue
            return _usable(answer.body) if answer.status == _OK else None
    except (NoAnswer, BadAnswer):
        return None
    finally:
        exchange.close()
    return ""


def _usable(body: bytes) -> str | None:
    try:
        text = body.decode("utf-8")
        read_contract(text)
    except ValueError:
        return None
    return text


def _ignore(_sent_at: float, _answer: object) -> None:
    pass


def _nothing() -> None:
    pass
