"""What xmlsec, the library that everybody else verifies with, says of the signatures in a file."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass

import xmlsec
from lxml import etree

from confere.fiscal.reading import envelopes

DSIG = "{http://www.w3.org/2000/09/xmldsig#}"
VALID, INVALID = "valid", "invalid"


@dataclass(frozen=True, slots=True)
class Opinion:
    """On the signature of the paper number `position` of its `kind`: valid, invalid, or why there is no opinion.

    `alone`: valid only where the paper is taken out of what was wrapped around it after it was signed.
    """

    kind: str
    position: int
    result: str
    alone: bool = False


def opinions(root: etree._Element) -> Iterator[Opinion]:
    """xmlsec's word on every signed paper in the file with the root element `root`."""
    found = envelopes.find(root)
    parts = {"document": found.documents, "event": found.events, "voiding": found.voidings}
    for kind, entries in parts.items():
        for position, part in enumerate(entries):
            if part.element is not None and part.element.find(f"{DSIG}Signature") is not None:
                yield of_element(kind, position, part.element)


def of_element(kind: str, position: int, element: etree._Element) -> Opinion:
    try:
        der = base64.b64decode("".join((element.findtext(f".//{DSIG}X509Certificate") or "").split()))
    except binascii.Error:
        der = b""
    if not der:
        return Opinion(kind, position, "no certificate in the file")
    try:
        key = xmlsec.Key.from_memory(der, xmlsec.KeyFormat.CERT_DER)
    except xmlsec.Error:
        return Opinion(kind, position, "xmlsec cannot load the certificate")
    if verifies(element, key):
        return Opinion(kind, position, VALID)
    alone = etree.fromstring(etree.tostring(element, with_tail=False))
    etree.cleanup_namespaces(alone)
    if verifies(alone, key):
        return Opinion(kind, position, VALID, alone=True)
    return Opinion(kind, position, INVALID)


def verifies(element: etree._Element, key: xmlsec.Key) -> bool:
    signature = element.find(f"{DSIG}Signature")
    context = xmlsec.SignatureContext()
    context.key = key
    try:
        for body in element.iterchildren("*"):
            if body.get("Id"):
                xmlsec.tree.add_ids(body, ["Id"])
        context.verify(signature)
    except xmlsec.Error:  # an invalid signature, or one whose reference is not there
        return False
    return True
