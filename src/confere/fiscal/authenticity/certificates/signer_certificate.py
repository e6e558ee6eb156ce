"""The signer's certificate: its key, whose it is, when it counts. What strict parsers refuse is read leniently."""

from __future__ import annotations

import base64
import binascii
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Final, TypeVar

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

from confere.errors import Message, message
from confere.fiscal import taxpayers
from confere.fiscal.authenticity.certificates import der, lenient_certificates
from confere.system.processes.library_warnings import quiet_warnings

_log = logging.getLogger(__name__)

_LONGEST: Final = 60_000
"""Characters of base64; the longest real certificates have 4,000."""
_REMEMBERED: Final = 2_000
_SHORTEST_KEY: Final = 1024
"""Bits of an RSA key; the oldest real certificates have these, and anybody can break far shorter ones."""
_LONGEST_HOLDER: Final = 200
REFUSALS: Final = (
    ValueError,
    TypeError,
    UnsupportedAlgorithm,
    x509.InvalidVersion,
    x509.DuplicateExtension,
    x509.UnsupportedGeneralNameType,
)
"""What the parser raises about a certificate that it does not take."""

# ICP-Brasil's places for the holder's number among the subject's alternative names (DOC-ICP-04).
_COMPANY: Final = "2.16.76.1.3.3"  # CNPJ
_PERSON: Final = "2.16.76.1.3.1"  # date of birth (8), CPF (11), and more
_BIRTH: Final = 8
_NUMBER: Final = re.compile(r"[A-Z0-9]{12}[0-9]{2}|[0-9]{11}")

PublicKey = RSAPublicKey | EllipticCurvePublicKey
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate out of a signature. `parsed` is None where it cannot be read; the key may be there all the same.

    `tax_ids`: CNPJ or CPF of its holder. `broken` says what hinders reading it, None where nothing. `is_garbled`: it
    is no certificate at all, whoever reads it. `signed` is what the issuer signed, where that is not what `parsed`
    holds (`lenient`).
    """

    parsed: x509.Certificate | None
    key: PublicKey | None
    tax_ids: frozenset[str] = frozenset()
    holder: str = ""
    not_before: datetime | None = None
    not_after: datetime | None = None
    broken: Message | None = None
    is_garbled: bool = False
    signed: bytes | None = None


def read(text: str) -> Certificate:
    """The certificate in the base64 of an `X509Certificate`; bulk meets the same few again and again.

    Source: RFC 5280; DOC-ICP-04 (where a certificate of ICP-Brasil holds CNPJ and CPF).
    """
    if len(text) > _LONGEST:
        return Certificate(None, None, broken=message("it is too long"), is_garbled=True)
    return _remembered(text)


@lru_cache(maxsize=_REMEMBERED)
def _remembered(text: str) -> Certificate:
    try:
        encoded = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return Certificate(None, None, broken=message("it is not written in base64"), is_garbled=True)
    if not encoded:
        return Certificate(None, None, broken=message("it is empty"), is_garbled=True)
    try:
        with quiet_warnings():  # of old certificates' odd serial numbers, which harm nobody
            return _read(checked(x509.load_der_x509_certificate(encoded)))
    except REFUSALS as error:
        _log.info("the certificate reader's words: %s: %s", type(error).__name__, error)
        return _read_leniently(encoded, message("it is not built as certificates are"))


def _read_leniently(encoded: bytes, broken: Message) -> Certificate:
    """What a lenient reader makes of a certificate that the strict one refused, saying `broken`."""
    try:
        with quiet_warnings():
            mended = lenient_certificates.load(encoded)
            if mended is not None:
                return replace(_read(checked(mended[0])), signed=mended[1])
    except REFUSALS:
        pass  # the key alone may still be there
    info = der.public_key_info(encoded)
    if info is None:
        return Certificate(None, None, broken=broken, is_garbled=True)
    return Certificate(None, _usable(lambda: load_der_public_key(info)), broken=broken)


def checked(certificate: x509.Certificate) -> x509.Certificate:
    """`certificate`, with all that is asked of it later looked at: the parser reads lazily. Raises `REFUSALS`.

    Source: RFC 5280.
    """
    for name in (certificate.subject, certificate.issuer):
        for attribute in name:
            str(attribute.value)
    _ = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return certificate


def extensions_are_read(certificate: x509.Certificate) -> bool:
    """Whether its extensions can be read at all; otherwise nothing may be said of one that seems absent.

    Source: RFC 5280, section 4.2.
    """
    try:
        len(certificate.extensions)
    except REFUSALS:
        return False
    return True


def is_strong(key: object) -> bool:
    """Whether what `key` signed proves anything.

    Source: a rule of this program, no law: a key that anybody can break proves nothing.
    """
    return not isinstance(key, RSAPublicKey) or key.key_size >= _SHORTEST_KEY


def common_name(name: x509.Name) -> str:
    """How people call the holder: the common name, else all of it.

    Source: RFC 5280, section 4.1.2.6; DOC-ICP-04 (`NAME:NUMBER`).
    """
    return _first(name, x509.NameOID.COMMON_NAME) or name.rfc4514_string()


def organization(name: x509.Name) -> str:
    """The organization (O) of a name; empty where it has none.

    Source: RFC 5280, section 4.1.2.4.
    """
    return _first(name, x509.NameOID.ORGANIZATION_NAME)


def extension(certificate: x509.Certificate, kind: type[_T]) -> _T | None:
    """The value of the extension of class `kind`; None where it is absent or nothing can be made of it.

    Source: RFC 5280, section 4.2.
    """
    try:
        return certificate.extensions.get_extension_for_class(kind).value  # type: ignore[type-var]
    except (x509.ExtensionNotFound, *REFUSALS):
        return None


def _read(certificate: x509.Certificate) -> Certificate:
    key = _usable(certificate.public_key)
    return Certificate(
        certificate,
        key,
        _tax_ids(certificate),
        common_name(certificate.subject)[:_LONGEST_HOLDER],
        certificate.not_valid_before_utc,
        certificate.not_valid_after_utc,
        None if key is not None else message("its key is of an unknown kind, or too short to prove anything"),
    )


def _usable(load: Callable[[], object]) -> PublicKey | None:
    """The key, where it is of a kind that a signature here can be checked by."""
    try:
        key = load()
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
    return key if isinstance(key, RSAPublicKey | EllipticCurvePublicKey) and is_strong(key) else None


def _tax_ids(certificate: x509.Certificate) -> frozenset[str]:
    """The holder's numbers: from the alternative names, else from the end of the common name (`NAME:NUMBER`)."""
    tax_ids: set[str] = set()
    names = extension(certificate, x509.SubjectAlternativeName)
    for other in names.get_values_for_type(x509.OtherName) if names is not None else ():
        place = other.type_id.dotted_string
        if place not in (_COMPANY, _PERSON):
            continue
        written = der.text_of(other.value).decode("latin-1").strip()
        if place == _PERSON and len(written) > 11:
            written = written[_BIRTH : _BIRTH + 11]
        tax_ids.add(taxpayers.normalise(written))
    if not (numbers := _numbers(tax_ids)):
        numbers = _numbers({common_name(certificate.subject).rpartition(":")[2].strip().upper()})
    return numbers


def _numbers(candidates: set[str]) -> frozenset[str]:
    """Those that have the shape of a CNPJ or CPF; zeros alone stand for "none"."""
    return frozenset(text for text in candidates if _NUMBER.fullmatch(text) and text.strip("0"))


def _first(name: x509.Name, oid: x509.ObjectIdentifier) -> str:
    attributes = name.get_attributes_for_oid(oid)
    return str(attributes[0].value) if attributes else ""
