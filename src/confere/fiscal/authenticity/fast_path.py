"""A fast signature check for documents in the plainest XML form, which nearly all have: one serialization.

Of a plain tree what lxml writes is canonical but for empty elements and the signed element's inherited namespace,
at half the cost of a canonical form. What is not plain, or does not hold, is left to `signatures`, which takes
every form apart and says why.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from lxml import etree
from lxml.etree import _Element

from confere.fiscal.authenticity import algorithms, canonical
from confere.fiscal.authenticity.certificates import signer_certificate
from confere.fiscal.authenticity.certificates.signer_certificate import Certificate
from confere.fiscal.authenticity.signed_parts import Subject
from confere.fiscal.reading.elements import LOCAL

_METHOD: Final = algorithms.DSIG + "rsa-sha1"
_NAMES: Final = {b"dsig": algorithms.DSIG.encode(), b"c14n": canonical.INCLUSIVE.encode()}

# A signature as the layouts of NF-e and CT-e prescribe it, algorithms included, between the texts that vary.
_OPENING: Final = (
    b'<Signature xmlns="%(dsig)b"><SignedInfo><CanonicalizationMethod Algorithm="%(c14n)b"/>'
    b'<SignatureMethod Algorithm="%(dsig)brsa-sha1"/><Reference URI="#'
) % _NAMES
_COVERING: Final = (
    b'"><Transforms><Transform Algorithm="%(dsig)benveloped-signature"/><Transform Algorithm="%(c14n)b"/>'
    b'</Transforms><DigestMethod Algorithm="%(dsig)bsha1"/><DigestValue>'
) % _NAMES
_VALUE: Final = b"</DigestValue></Reference></SignedInfo><SignatureValue>"
_CERTIFICATE: Final = b"</SignatureValue><KeyInfo><X509Data><X509Certificate>"
_CLOSING: Final = b"</X509Certificate></X509Data></KeyInfo></Signature>"
# The canonical SignedInfo of such a signature.
_INFO: Final = (
    b'<SignedInfo xmlns="%(dsig)b"><CanonicalizationMethod Algorithm="%(c14n)b"></CanonicalizationMethod>'
    b'<SignatureMethod Algorithm="%(dsig)brsa-sha1"></SignatureMethod><Reference URI="#%%b"><Transforms>'
    b'<Transform Algorithm="%(dsig)benveloped-signature"></Transform><Transform Algorithm="%(c14n)b"></Transform>'
    b'</Transforms><DigestMethod Algorithm="%(dsig)bsha1"></DigestMethod><DigestValue>%%b</DigestValue></Reference>'
    b"</SignedInfo>"
) % _NAMES

_EMPTY: Final = re.compile(rb"<([^\s<>/]+)((?: [^<>]*)?)/>")
# In text both look harmless; that they may stand there costs a longer look at the few papers that have them.
_GREATER: Final = re.compile(rb'="[^"<]*&gt;')
_SECOND: Final = re.compile(rb'" [^\s"=<>]+="')
_PLAIN_VALUE: Final = re.compile(r"[\w .:#/-]*", re.ASCII)


@dataclass(slots=True)
class Plain:
    """Canonical forms of the signed element and of the signature's SignedInfo, in place, and the texts it holds."""

    body: bytes
    info: bytes
    uri: str  # without "#"
    digest: str
    value: str
    certificate: Certificate


def take(subject: Subject) -> Plain | None:
    """The signature of `subject`, the one paper of its file, and what stands signed; None where either is not plain.

    Source: MOC 7.0 (the one form of signature that the layouts prescribe); W3C Canonical XML 1.0 (RFC 3076).
    """
    body = subject.body
    if body is None or subject.bodies != 1 or not _followed(subject):
        return None
    root = body.getroottree().getroot()
    name = LOCAL[body.tag]
    if not _first(body, root):
        return None
    text: bytes = etree.tostring(root, encoding="utf-8")
    closing = b"</%b>" % name.encode()
    start = text.find(b"<%b " % name.encode())
    end = text.find(closing, start) + len(closing)
    if start < 0 or end < start or b" xml:" in text[:start]:
        return None
    signed = _canonical(body, text[text.index(b">", start) : end])
    return _signature(text, end, signed) if signed is not None else None


def holds(taken: Plain, subject: Subject) -> bool:
    """Whether the digest and the signature value of `taken` verify with the certificate in the signature.

    Source: MOC 7.0 (SHA-1 digest, RSA-SHA1 signature); W3C XML Signature Syntax and Processing (RFC 3275), section 3.2
    (core validation).
    """
    # SHA-1 is the layouts' rule, not a choice.
    digest = hashlib.sha1(taken.body).digest()  # noqa: S324
    if taken.uri != subject.identity or digest != algorithms.decoded(taken.digest):
        return False
    key, value = taken.certificate.key, algorithms.decoded(taken.value)
    return key is not None and value is not None and algorithms.fits(key, _METHOD, value, taken.info)


def _first(body: _Element, root: _Element) -> bool:
    """Whether nothing but start tags stands before `body`: the first that looks like it in the text is it then."""
    here: _Element | None = body
    while here is not None and here is not root:
        if here.getprevious() is not None:
            return False
        here = here.getparent()
    return True


def _followed(subject: Subject) -> bool:
    """Whether the signature comes right behind the signed element, or behind what may stand between (a QR code)."""
    if subject.body is None or len(subject.signatures) != 1:
        return False
    following, signature = subject.body.getnext(), subject.signatures[0]
    if following is signature:
        return True
    if following is None or following.getnext() is not signature:
        return False
    return next(following.iter("{*}Signature"), None) is None


def _canonical(body: _Element, inside: bytes) -> bytes | None:
    """The canonical form of `body`, of which `inside` was written out, from the end of its start tag on.

    None where the two could differ: another namespace in scope or declared inside, an element inside with two
    attributes (they have an order), an instruction, a character that the canonical form writes otherwise.
    """
    scope = body.nsmap
    namespace = scope.get(None)
    if (
        namespace is None
        or len(scope) != 1
        or _PLAIN_VALUE.fullmatch(namespace) is None
        or b" xmlns" in inside
        or b"<%b " % LOCAL[body.tag].encode() in inside
        or (b"&" in inside and (b"&#" in inside or (b"&gt;" in inside and _GREATER.search(inside) is not None)))
        or (b"?" in inside and b"<?" in inside)
        or (any(part[:1] == b" " for part in inside.split(b'"')) and _SECOND.search(inside) is not None)
    ):
        return None
    start = f'<{LOCAL[body.tag]} xmlns="{namespace}"'
    for attribute, value in sorted((str(name), str(value)) for name, value in body.attrib.items()):
        if _PLAIN_VALUE.fullmatch(value) is None or not attribute.isalnum():
            return None
        start += f' {attribute}="{value}"'
    if b"/>" in inside:
        inside = _EMPTY.sub(rb"<\1\2></\1>", inside)
    return start.encode() + inside


def _signature(text: bytes, after: int, signed: bytes) -> Plain | None:
    """The signature that comes next in `text`, where it is the layout's own to the letter."""
    start = text.find(_OPENING, after)
    uri = start + len(_OPENING)
    uri_end = text.find(b'"', uri)
    digest = uri_end + len(_COVERING)
    digest_end = text.find(b"<", digest)
    value = digest_end + len(_VALUE)
    value_end = text.find(b"<", value)
    certificate = value_end + len(_CERTIFICATE)
    certificate_end = text.find(b"<", certificate)
    if (
        start < 0
        or b"<?" in text[after:start]
        or not text.startswith(_COVERING, uri_end)
        or not text.startswith(_VALUE, digest_end)
        or not text.startswith(_CERTIFICATE, value_end)
        or not text.startswith(_CLOSING, certificate_end)
    ):
        return None
    reference, written = text[uri:uri_end], text[digest:digest_end]
    if b"&" in reference or b"&" in written:
        return None
    return Plain(
        signed,
        _INFO % (reference, written),
        reference.decode(),
        written.decode(),
        text[value:value_end].decode(),
        signer_certificate.read(text[certificate:certificate_end].decode()),
    )
