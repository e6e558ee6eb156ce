"""One changed character at each place of the table: the named lines change, every other stays as it was."""

from __future__ import annotations

import base64
import re

import pytest
from cryptography import x509

from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.verdict import NO_GATE, Check, Result
from sandbox_hub.paper.authority import ISSUER_NAME
from tests.fiscal.authenticity.tampering import SIGNED_INFO, ZONES, Base64, Bit, Text
from tests.sandbox_hub.paper.cases import NORMAL

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
Place = Text | Base64 | Bit
PLACES = [(f"{zone} {number}", place) for zone, places in ZONES.items() for number, place in enumerate(places, 1)]
PLACES += [(f"signed info {number}", place) for number, place in enumerate(SIGNED_INFO, 1)]


def results(data: bytes, trust: Trust) -> dict[Check, Result]:
    (judged,) = judge_paper(data, trust, world=World.SANDBOX)
    for line in judged.verdict.lines:
        assert line.why is not None or line.result in (Result.OK, Result.NOT_APPLICABLE)
    return {line.check: line.result for line in judged.verdict.lines}


def tampered(text: str, place: Place) -> str:
    if isinstance(place, Text):
        before, character, after = re.fullmatch(r"(.*)\[(.)\](.*)", place.where, re.DOTALL).groups()
        at = text.index(before + character + after) + len(before)
        return text[:at] + place.to + text[at + 1 :]
    tag = place.tag if isinstance(place, Base64) else "X509Certificate"
    start = text.index(f"<{tag}>") + len(tag) + 2
    encoded = text[start : text.index("<", start)]
    if isinstance(place, Base64):
        at = place.at % len(encoded)
        to = place.to or ALPHABET[ALPHABET.index(encoded[at]) ^ 1]
        changed = encoded[:at] + to + encoded[at + 1 :]
    else:
        der = bytearray(base64.b64decode(encoded))
        der[beginning(bytes(der), place.what) + place.offset] ^= 1 << place.bit
        changed = base64.b64encode(der).decode()
    return text[:start] + changed + text[start + len(encoded) :]


def beginning(der: bytes, what: str) -> int:
    """Where in the certificate the thing called `what` begins."""
    certificate = x509.load_der_x509_certificate(der)
    if what == "holder's CNPJ":
        return der.index(NORMAL.tax_id.encode(), der.index(bytes.fromhex("604c010303")))  # 2.16.76.1.3.3
    modulus = certificate.public_key().public_numbers().n
    return {
        "outer tag": lambda: 0,
        "common name": lambda: der.index(NORMAL.name.encode()),
        "modulus": lambda: der.index(modulus.to_bytes(256, "big")),
        "last day": lambda: der.index(b"281001000000Z"),
        "issuer": lambda: der.index(ISSUER_NAME.encode()),
        "serial number": lambda: der.index(certificate.serial_number.to_bytes(15, "big")),
        "issuer's signature": lambda: der.index(certificate.signature),
    }[what]()


def test_the_table_has_ten_places_in_each_of_six_zones() -> None:
    assert len(ZONES) == 6
    assert {len(places) for places in ZONES.values()} == {10}
    assert len({(place.paper, repr(place)) for _, place in PLACES}) == 65


@pytest.mark.parametrize(("name", "place"), PLACES, ids=[name for name, _ in PLACES])
def test_one_changed_character_changes_the_named_lines_alone(
    papers: dict[str, bytes], sandbox_trust: Trust, name: str, place: Place
) -> None:
    text = papers[place.paper].decode()
    changed = tampered(text, place)
    assert len(changed) == len(text)
    assert sum(one != other for one, other in zip(text, changed, strict=True)) == 1

    before = results(papers[place.paper], sandbox_trust)
    untouched = set(Result) - {Result.FAILED, Result.UNCHECKED}
    assert all(result in untouched for check, result in before.items() if check not in NO_GATE)
    assert results(changed.encode(), sandbox_trust) == before | place.lines


def test_every_character_of_the_signed_element_counts(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    text = papers["note: sale between states, 2026"].decode()
    start, end = text.index("<infNFe "), text.index("</infNFe>")
    letters = [found.start() for found in re.finditer(r"(?<=[>\w])[^\W_](?=[^<>&;]*<)", text[start:end])]
    assert len(letters) > 1000
    for at in letters[::29]:
        place = start + at
        changed = text[:place] + ("b" if text[place] == "a" else "a") + text[place + 1 :]
        (judged,) = judge_paper(changed.encode(), sandbox_trust, world=World.SANDBOX)
        assert judged.verdict.line(Check.DIGEST).result is Result.FAILED, text[place - 20 : place + 20]
