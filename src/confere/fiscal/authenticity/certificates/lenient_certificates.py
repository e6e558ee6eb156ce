"""Old certificates that a strict parser refuses, written again as it wants them: as openssl reads them.

Before 2012 some authorities wrote out `critical FALSE`, padded numbers and lengths, or put accents where the type
has none. That is bad DER, and genuine all the same. No library at hand reads it: those for certificates are strict.
What the issuer signed is kept beside, as it came, so that the issuer's signature is still checked on the real bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cryptography import x509

from confere.fiscal.authenticity.certificates.der import Element, elements, encoded, first

_BOOLEAN: Final = 0x01
_INTEGER: Final = 0x02
_OCTETS: Final = 0x04
_UTF8: Final = 0x0C
_UTC_TIME: Final = 0x17
_GENERAL_TIME: Final = 0x18
_SEQUENCE: Final = 0x30
_EXTENSIONS: Final = 0xA3
_CONSTRUCTED: Final = 0x20
_DEEPEST: Final = 12
# Strings that hold ASCII, or some of it: PrintableString, NumericString, IA5String, VisibleString.
_ASCII: Final = {
    0x13: re.compile(rb"[A-Za-z0-9 '()+,\-./:=?]*"),
    0x12: re.compile(rb"[0-9 ]*"),
    0x16: re.compile(rb"[\x00-\x7f]*"),
    0x1A: re.compile(rb"[\x20-\x7e]*"),
}
_TIME: Final = re.compile(rb"(\d{10}|\d{12})(\d\d)?(Z|[+-]0000)?")


@dataclass(frozen=True, slots=True)
class StrictCertificate:
    """A certificate in strict DER, and the very bytes that its issuer signed."""

    strict: bytes
    signed: bytes


def rewritten(certificate: bytes) -> StrictCertificate | None:
    """`certificate` as a strict parser takes it; None where it is none, or nothing of it is to be mended.

    What follows behind it is left out, as openssl does.
    """
    outer = first(certificate)
    if outer is None or outer.tag != _SEQUENCE:
        return None
    parts = elements(outer.content)
    if parts is None or len(parts) != 3 or parts[0].tag != _SEQUENCE:
        return None
    strict = _again(outer, 0)
    if strict == certificate:
        return None
    return StrictCertificate(strict, parts[0].whole)


def load(certificate: bytes) -> tuple[x509.Certificate, bytes] | None:
    """The parsed certificate and what was signed; None where it was not mended. Raises what the strict parser does."""
    mended = rewritten(certificate)
    return (x509.load_der_x509_certificate(mended.strict), mended.signed) if mended is not None else None


def _again(element: Element, depth: int, *, in_extensions: bool = False) -> bytes:
    tag, content = element.tag, element.content
    if tag & _CONSTRUCTED and depth < _DEEPEST:
        inside = elements(content)
        if inside is None:
            return encoded(tag, content)
        extensions = in_extensions or (tag == _EXTENSIONS and depth == 2)
        # `critical` of an extension and `cA` of the basic constraints: absent means FALSE (X.690, 11.5).
        kept = [part for part in inside if not (extensions and part.tag == _BOOLEAN and not any(part.content))]
        return encoded(tag, b"".join(_again(part, depth + 1, in_extensions=extensions) for part in kept))
    if tag == _BOOLEAN:
        return encoded(tag, b"\xff" if any(content) else b"\x00")
    if tag == _INTEGER:
        return encoded(tag, _shortest(content))
    if tag in _ASCII:
        return encoded(tag, content) if _ASCII[tag].fullmatch(content) else encoded(_UTF8, _utf8(content))
    if tag == _UTF8:
        return encoded(tag, _utf8(content))
    if tag in (_UTC_TIME, _GENERAL_TIME):
        return encoded(tag, _time(tag, content))
    if tag == _OCTETS and in_extensions and depth == 5:  # the value of an extension, which is DER itself
        inside = elements(content)
        if inside is not None and len(inside) == 1 and inside[0].tag == _SEQUENCE:
            return encoded(tag, _again(inside[0], depth + 1, in_extensions=True))
    return encoded(tag, content)


def _shortest(number: bytes) -> bytes:
    """Without the octets that say nothing (X.690, 8.3.2)."""
    while len(number) > 1 and ((number[0] == 0 and not number[1] & 0x80) or (number[0] == 0xFF and number[1] & 0x80)):
        number = number[1:]
    return number


def _utf8(text: bytes) -> bytes:
    try:
        text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1").encode()
    return text


def _time(tag: int, written: bytes) -> bytes:
    """With its seconds and Z (RFC 5280, 4.1.2.5)."""
    match = _TIME.fullmatch(written)
    if match is None:
        return written
    short = 10 if tag == _UTC_TIME else 12
    digits = match[1] + (match[2] or b"")
    return (digits + b"00" if len(digits) == short else digits) + b"Z"
