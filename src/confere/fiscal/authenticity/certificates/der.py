"""The few steps through DER that a certificate needs which strict parsers refuse: to its parts and its public key."""

from __future__ import annotations

from typing import Final, NamedTuple

_SEQUENCE: Final = 0x30
_VERSION: Final = 0xA0
_KEY_AT: Final = 5  # serial number, algorithm, issuer, validity and subject stand before it


class Element(NamedTuple):
    """One element: its tag, its content, and all of it as it was written."""

    tag: int
    content: bytes
    whole: bytes


def elements(data: bytes) -> list[Element] | None:
    """The elements that follow one another in `data`; None where it is not made of whole ones."""
    parsed: list[Element] = []
    position = 0
    while position < len(data):
        step = _element(data, position)
        if step is None:
            return None
        tag, start, end = step
        parsed.append(Element(tag, data[start:end], data[position:end]))
        position = end
    return parsed


def first(data: bytes) -> Element | None:
    """The element that `data` begins with, whatever follows it."""
    step = _element(data, 0)
    return Element(step[0], data[step[1] : step[2]], data[: step[2]]) if step is not None else None


def encoded(tag: int, content: bytes) -> bytes:
    """One element with the shortest length that says its size (X.690, 10.1)."""
    size = len(content)
    if size < 0x80:
        return bytes((tag, size)) + content
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(octets))) + octets + content


def public_key_info(certificate: bytes) -> bytes | None:
    """The SubjectPublicKeyInfo of an X.509 `certificate` in DER (RFC 5280, 4.1); None where it is none."""
    outer = _inside(certificate, 0)
    signed = _inside(certificate, outer[0]) if outer is not None else None
    if signed is None:
        return None
    position, end = signed
    first = True
    skipped = 0
    while position < end:
        step = _element(certificate, position)
        if step is None or step[2] > end:
            return None
        tag, _, after = step
        if not (first and tag == _VERSION):
            if skipped == _KEY_AT:
                return certificate[position:after] if tag == _SEQUENCE else None
            skipped += 1
        first = False
        position = after
    return None


def text_of(value: bytes) -> bytes:
    """The content of one short string or octet string, as the values of alternative names are."""
    step = _element(value, 0)
    return value[step[1] : step[2]] if step is not None else b""


def _inside(data: bytes, position: int) -> tuple[int, int] | None:
    """Where the content of the sequence at `position` begins and ends."""
    step = _element(data, position)
    return (step[1], step[2]) if step is not None and step[0] == _SEQUENCE else None


def _element(data: bytes, position: int) -> tuple[int, int, int] | None:
    """Tag, beginning of the content and end of the element at `position`."""
    if position + 2 > len(data):
        return None
    tag, length = data[position], data[position + 1]
    position += 2
    if length & 0x80:
        octets = length & 0x7F
        if not 1 <= octets <= 4 or position + octets > len(data):
            return None
        length = int.from_bytes(data[position : position + octets], "big")
        position += octets
    if position + length > len(data):
        return None
    return tag, position, position + length
