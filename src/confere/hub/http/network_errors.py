"""Why no answer came: the network library's exceptions as our errors, without what they carry."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import httpx

from confere.errors import HubTlsFailed, HubUnreachable, Message, message
from confere.hub.http import tls_words

_CHECK_ADDRESS = message("Check the address of the account and this machine's connection.")
_LATER = message("Check this machine's connection and try again; what is already here stays.")


def unreachable(error: httpx.TransportError, host: str) -> tuple[HubUnreachable, bool]:
    """Our error for `error` while talking to `host` (scheme, name, port), and whether another try may help.

    The foreign exception holds the request with its headers, so nothing of it but its kind is kept.
    """
    causes = tuple(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            reason = tls_words.certificate(cause)
            return HubTlsFailed(
                message("The certificate of {host} is not trusted: {reason}.", host=host, reason=reason),
                message(
                    "Check the address and this machine's clock; add a company's own authority to the system's store."
                ),
            ), False
        if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError):
            return HubTlsFailed(
                message(
                    "{host} does not speak TLS as it should ({reason}).", host=host, reason=tls_words.handshake(cause)
                ),
                message("Check that the address and port are those of an https service."),
            ), False
    what, remedy = _plain(error, causes, host)
    return HubUnreachable(what, remedy), True


def _plain(error: httpx.TransportError, causes: tuple[BaseException, ...], host: str) -> tuple[Message, Message]:
    if isinstance(error, httpx.ProxyError):
        return (
            message("The proxy of this system did not let us through to {host}.", host=host),
            message("Check the proxy in the system's settings, or except the hub's host from it."),
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return message("The name of {host} is not known to the network.", host=host), _CHECK_ADDRESS
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return message("Nothing answers at {host}: the connection was refused.", host=host), _CHECK_ADDRESS
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return message("{host} did not answer in time.", host=host), _CHECK_ADDRESS
    if isinstance(error, httpx.ConnectError):
        return message("No connection to {host} could be made.", host=host), _CHECK_ADDRESS
    if isinstance(error, httpx.TimeoutException):
        return message("{host} took the request and then fell silent.", host=host), _LATER
    return message("The connection to {host} broke before the answer was complete.", host=host), _LATER


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__
