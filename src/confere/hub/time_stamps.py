"""Time stamps of an authority (RFC 3161) over the head of a closing: asked for, read and verified.

What leaves the house is the SHA-256 of the head and a random number, nothing of any document. The hash is that of the
head's 32 bytes.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from confere.errors import HubAnswerUnreadable, HubError, HubUnreachable, Message, UsageFault, message

if TYPE_CHECKING:
    from rfc3161_client import TimeStampResponse

_log = logging.getLogger(__name__)

QUERY: Final = "application/timestamp-query"
REPLY: Final = "application/timestamp-reply"
_SECONDS: Final = 30.0
_MOST_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class StampRequest:
    """A request for a time stamp, as it is sent: `body` is DER, `imprint` the hash in it, in hex."""

    address: str
    body: bytes
    imprint: str


@dataclass(frozen=True, slots=True)
class StampFacts:
    """What a stored answer says: the time of the stamp and whether its imprint is that of the head.

    `trusted`: whether a given root vouches for it; None where none is given.
    """

    stamped_at: datetime
    fits: bool
    trusted: bool | None


def request(address: str, head: bytes) -> StampRequest:
    """The request for a head, to be shown before `send`. `UsageFault` for what is no HTTP address."""
    from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageFault(
            message("{address} is not the address of a time stamping authority.", address=address),
            message("It begins with http:// or https://."),
        )
    built = TimestampRequestBuilder().data(head).hash_algorithm(HashAlgorithm.SHA256).build()
    return StampRequest(address, built.as_bytes(), hashlib.sha256(head).hexdigest())


def send(wanted: StampRequest, head: bytes) -> bytes:
    """The authority's answer, DER, after a look that it stamps this head. Raises `HubError` and its kin.

    Without redirects or credentials: a time stamping authority knows nobody.
    """
    import httpx

    from confere.hub.http.transport import client

    body = b""
    try:
        with (
            client(connections=1, timeout=httpx.Timeout(_SECONDS)) as authority,
            authority.stream(
                "POST", wanted.address, content=wanted.body, headers={"Content-Type": QUERY, "Accept": REPLY}
            ) as answer,
        ):
            for part in answer.iter_bytes():
                body += part
                if len(body) > _MOST_BYTES:
                    break
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise HubUnreachable(
            message(
                "The time stamping authority {address} does not answer. {why}",
                address=wanted.address,
                why=_why(error, wanted.address),
            ),
            message("The month is closed all the same; ask for the stamp again later."),
        ) from error
    if answer.status_code != 200 or len(body) > _MOST_BYTES:
        raise HubError(
            message(
                "The time stamping authority {address} refused the request (HTTP {status}).",
                address=wanted.address,
                status=answer.status_code,
            ),
            message("The month is closed all the same; ask for the stamp again later, or another authority."),
        )
    if not facts(body, head).fits:
        raise HubAnswerUnreadable(
            message("The time stamping authority {address} stamped something else.", address=wanted.address),
            message("Nothing was kept of its answer. Ask another authority."),
        )
    return body


def _why(error: Exception, address: str) -> Message:
    """The whole sentence for an error of httpx, whose own words are English."""
    import httpx

    from confere.hub.http.network_errors import unreachable

    if isinstance(error, httpx.TransportError):
        return unreachable(error, address)[0].what
    return message("The address makes no sense.")


def facts(response: bytes, head: bytes, roots: Sequence[bytes] = ()) -> StampFacts:
    """What the answer says about this head; `roots` are PEM files. `HubAnswerUnreadable` where it is no time stamp."""
    from rfc3161_client import PKIStatus, decode_timestamp_response

    try:
        read = decode_timestamp_response(response)
        granted = PKIStatus(read.status) in (PKIStatus.GRANTED, PKIStatus.GRANTED_WITH_MODS)
        info = read.tst_info
        imprint = info.message_imprint
        digests = {32: hashlib.sha256, 48: hashlib.sha384, 64: hashlib.sha512}
        make = digests.get(len(imprint.message))
        fits = granted and make is not None and make(head).digest() == imprint.message
        stamped_at = info.gen_time
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        _log.info("the time stamp reader's words: %s", error)
        raise HubAnswerUnreadable(
            message("The time stamping authority's answer is no time stamp."),
            message("Ask another authority."),
        ) from error
    return StampFacts(stamped_at, fits, _is_trusted(read, head, roots) if roots else None)


def _is_trusted(read: TimeStampResponse, head: bytes, roots: Sequence[bytes]) -> bool:
    """Whether the answer is signed under one of these certificates.

    The library trusts intermediates as it does roots, so that none out of the answer itself may be given to it.
    """
    from cryptography import x509
    from rfc3161_client import VerificationError, VerifierBuilder

    try:
        certificates = [certificate for text in roots for certificate in x509.load_pem_x509_certificates(text)]
        return VerifierBuilder(roots=certificates).build().verify_message(read, head)
    except (VerificationError, ValueError):
        return False
