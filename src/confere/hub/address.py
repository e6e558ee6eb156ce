"""The hub's address as people paste it, made into the one base that every path hangs from."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from confere.errors import HubAddressRefused, Message, message
from confere.system.secrets.origin import is_loopback as is_loopback

if TYPE_CHECKING:
    import httpx

_DEFAULT_PORTS = {"http": 80, "https": 443}
_VERSION = "v2"
# What follows the version when somebody pastes the address of a list instead of the base.
_RESOURCES = ("fiscaldocuments", "orders")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\]")


def normalise(address: str) -> str:
    """The base address, always ending in `/v2` once: scheme, host, port and path as given otherwise.

    https is required except on loopback; without a scheme https is meant (http on loopback). Raises
    `HubAddressRefused` with what to do.
    """
    text = address.strip()[:2000]
    if "@" in text:  # not shown back: what stands before it may be a password
        raise HubAddressRefused(
            message("The address holds a user name or password before the @."),
            message("Leave that part out; the token is asked for separately."),
        )
    if not text or _FORBIDDEN.search(text):
        raise _refused(message("The address is empty or has characters that no address can have."))
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, port = parts.hostname or "", parts.port
        if ":" not in host:
            host.encode("idna")  # a name that the resolver would choke on
    except ValueError:
        raise _refused(message("{address} is not an address.", address=text)) from None
    if "://" not in text and is_loopback(host):
        parts = parts._replace(scheme="http")
    _check(parts, host, text)
    shown_host = f"[{host}]" if ":" in host else host
    shown_port = "" if port is None or port == _DEFAULT_PORTS[parts.scheme] else f":{port}"
    base = f"{parts.scheme}://{shown_host}{shown_port}/{'/'.join(_segments(parts.path))}"
    import httpx  # a window that asks no hub does not wait for it

    try:
        httpx.URL(base)
    except httpx.InvalidURL:
        raise _refused(message("{address} is not an address.", address=text)) from None
    return base


def origin(url: str | httpx.URL) -> tuple[str, str, int]:
    """Scheme, host and port, as two addresses must share them to be the same origin."""
    import httpx

    parsed = httpx.URL(url)
    return parsed.scheme, parsed.host.rstrip("."), parsed.port or _DEFAULT_PORTS.get(parsed.scheme, 0)


def same_origin(one: str | httpx.URL, other: str | httpx.URL) -> bool:
    """Whether credentials for `one` may go to `other`."""
    return origin(one) == origin(other)


def is_this_machine(host: str) -> bool:
    """Whether a connection to `host` may end on this machine: loopback in any spelling, and the address of nothing."""
    bare = host.lower().rstrip(".")
    if is_loopback(bare) or bare.endswith(".localhost"):
        return True
    try:
        parsed = ipaddress.ip_address(bare.strip("[]"))
    except ValueError:
        return bare.isdecimal() or bare.startswith("0x")  # an address as one number
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return any(entry.is_loopback or entry.is_unspecified for entry in (parsed, mapped) if entry is not None)


def _segments(path: str) -> list[str]:
    segments = [segment for segment in path.split("/") if segment]
    if segments and segments[-1].lower() in _RESOURCES:
        segments.pop()
    while segments and segments[-1].lower() == _VERSION:
        segments.pop()
    return [*segments, _VERSION]


def _check(parts: SplitResult, host: str, text: str) -> None:
    if not host:
        raise _refused(message("The address {address} names no host.", address=text))
    if "?" in text or "#" in text:
        raise _refused(message("The address goes on after a ? or #: {address}.", address=text))
    if parts.scheme not in _DEFAULT_PORTS:
        raise _refused(message("The address {address} does not begin with https.", address=text))
    if {".", ".."} & set(parts.path.split("/")):
        raise _refused(message("The address {address} has . or .. between its slashes.", address=text))
    if parts.scheme == "http" and not is_loopback(host):
        raise HubAddressRefused(
            message("{address} is not encrypted: the token would travel readable for anybody.", address=text),
            message("Use the address that begins with https."),
        )


def _refused(what: Message) -> HubAddressRefused:
    return HubAddressRefused(
        what, message("Give the address as the hub shows it, for example https://api.example.com/v2.")
    )
