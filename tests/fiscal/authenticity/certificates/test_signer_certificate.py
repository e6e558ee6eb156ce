"""Whose a certificate is, as ICP-Brasil writes it; and what is left of one that a strict parser refuses."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from confere.errors import message
from confere.fiscal.authenticity.certificates import der, lenient_certificates, signer_certificate
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.verdict import Result
from tests.fiscal.authenticity.issuing import FIRST, LAST, Holder, issue, name

COMPANY, PERSON, RESPONSIBLE = "2.16.76.1.3.3", "2.16.76.1.3.1", "2.16.76.1.3.4"


def octets(text: str, tag: int = 0x04) -> bytes:
    return bytes([tag, len(text)]) + text.encode()


@pytest.mark.parametrize(
    ("common", "others", "tax_ids"),
    [
        ("LOJA LTDA:11222333000181", (), {"11222333000181"}),
        ("LOJA LTDA", ((COMPANY, octets("11222333000181")),), {"11222333000181"}),
        # As different authorities encode it: octets, PrintableString, UTF8String.
        ("LOJA:99999999000199", ((COMPANY, octets("11222333000181", 0x13)),), {"11222333000181"}),
        ("LOJA", ((COMPANY, octets("12ABC34501DE35", 0x0C)),), {"12ABC34501DE35"}),
        # A company's certificate names its responsible person too, who is not the holder.
        (
            "LOJA",
            ((RESPONSIBLE, octets("05091976" + "25273607850" + "0" * 26)), (COMPANY, octets("11222333000181"))),
            {"11222333000181"},
        ),
        ("FULANO", ((PERSON, octets("05091976" + "52998224725" + "0" * 26)),), {"52998224725"}),
        ("FULANO", ((PERSON, octets("52998224725")),), {"52998224725"}),
        ("FULANO:52998224725", (), {"52998224725"}),
        # Zeros where nothing was filled in.
        ("LOJA:11222333000181", ((COMPANY, octets("0" * 14)),), {"11222333000181"}),
        ("LOJA SEM NUMERO", (), set()),
        ("LOJA:1122233300018", (), set()),
        ("LOJA", ((COMPANY, b"\x04\x7f12"),), set()),
        ("LOJA", ((COMPANY, b"\x04"),), set()),
    ],
)
def test_the_holders_number(common: str, others: tuple[tuple[str, bytes], ...], tax_ids: set[str]) -> None:
    try:
        holder = issue(common, authority=False, others=others)
    except ValueError:
        assert tax_ids == set()  # such a value cannot even be written
        return
    read = signer_certificate.read(holder.text)
    assert read.tax_ids == tax_ids
    assert read.holder == common
    assert read.broken is None
    assert isinstance(read.key, ec.EllipticCurvePublicKey)


def wrapped(tag: int, content: bytes) -> bytes:
    """One element in DER."""
    size = len(content)
    length = (
        bytes([size])
        if size < 128
        else (lambda octets: bytes([128 + len(octets)]) + octets)(size.to_bytes((size.bit_length() + 7) // 8, "big"))
    )
    return bytes([tag]) + length + content


def elements(data: bytes) -> list[tuple[int, bytes]]:
    found = []
    while data:
        tag, size, start = data[0], data[1], 2
        if size & 0x80:
            start += size & 0x7F
            size = int.from_bytes(data[2:start], "big")
        found.append((tag, data[start : start + size]))
        data = data[start + size :]
    return found


def explicitly_false(encoded: bytes) -> bytes:
    """The same certificate with `critical FALSE` written out, which old issuers did and DER forbids."""
    key_identifier = bytes.fromhex("0603551d0e")

    def again(data: bytes) -> bytes:
        if data.startswith(key_identifier):
            return key_identifier + b"\x01\x01\x00" + data[len(key_identifier) :]
        constructed = (0x30, 0xA3)  # sequences, and the extensions' own tag
        return b"".join(
            wrapped(tag, again(content) if tag in constructed else content) for tag, content in elements(data)
        )

    return again(encoded)


def as_read(encoded: bytes) -> signer_certificate.Certificate:
    return signer_certificate.read(base64.b64encode(encoded).decode())


def signed_text(encoded: bytes) -> bytes:
    """The very bytes that an issuer signs."""
    (_, outer), *_ = elements(encoded)
    (_, inner), *_ = elements(outer)
    return wrapped(0x30, inner)


def again_by(authority: Holder, encoded: bytes) -> bytes:
    """The certificate with its text as it is now, signed by `authority`."""
    (_, outer), *_ = elements(encoded)
    _, (tag, algorithm), _ = elements(outer)
    text = signed_text(encoded)
    value = authority.key.sign(text, ec.ECDSA(SHA256()))
    return wrapped(0x30, text + wrapped(tag, algorithm) + wrapped(0x03, b"\0" + value))


def in_utf8(encoded: bytes) -> bytes:
    return encoded.replace("PÃO".encode(), "PÃO".encode("latin-1") + b"!")


MISTAKES: dict[str, Callable[[bytes], bytes]] = {
    "FALSE is written out": explicitly_false,
    "Latin-1 in UTF8String": in_utf8,
    "a TRUE of its own": lambda encoded: encoded.replace(b"\x01\x01\xff\x04", b"\x01\x01\x01\x04"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_old_certificate_that_a_strict_parser_refuses_is_read_leniently(mistake: str) -> None:
    authority = issue("AC")
    holder = issue("PÃO LTDA:11222333000181", authority, authority=False)
    mistaken = MISTAKES[mistake](holder.der)
    assert mistaken != holder.der
    encoded = again_by(authority, mistaken)
    with pytest.raises(signer_certificate.REFUSALS):
        signer_certificate.checked(x509.load_der_x509_certificate(encoded))
    read = as_read(encoded)
    assert read.parsed is not None
    assert read.broken is None
    assert read.key == holder.key.public_key()
    assert read.tax_ids == {"11222333000181"}
    assert (read.not_before, read.not_after) == (FIRST, LAST)
    assert read.holder.startswith("PÃO")
    # Its issuer signed the bytes as they are, not as they are read; and one changed letter is one too many.
    trust = Trust([authority.certificate])
    assert trust.chain(read.parsed, (), None, signed=read.signed).result is Result.OK
    assert trust.chain(read.parsed, (), None).result is Result.FAILED
    altered = as_read(encoded.replace(b"11222333000181", b"11222333000182"))
    assert altered.parsed is not None
    assert trust.chain(altered.parsed, (), None, signed=altered.signed).result is Result.FAILED


def test_what_follows_a_certificate_is_left_out() -> None:
    holder = issue("LOJA:11222333000181", authority=False)
    read = as_read(holder.der + b"\0\0")
    assert read.parsed == holder.certificate


def test_lenience_mends_no_more_than_is_known_to_be_wrong() -> None:
    holder = issue("LOJA:11222333000181", authority=False)
    assert lenient_certificates.rewritten(holder.der) is None
    for data in (b"", b"\x30", b"\x30\x03\x02\x01\x05", b"\x30\x80\x00\x00", holder.der[:-9], b"\x04" + holder.der[1:]):
        assert lenient_certificates.rewritten(data) is None
    nested = b"\x05\x00"
    for _ in range(2000):
        nested = wrapped(0x30, nested)
    lenient_certificates.rewritten(wrapped(0x30, nested + nested + nested))  # ends


def test_what_even_a_lenient_reader_cannot_take_keeps_its_key() -> None:
    holder = issue("LOJA:11222333000181", issue("AC"), authority=False)
    encoded = holder.der.replace(b"\x17\x0d200101", b"\x17\x0d2001\xff1")
    read = as_read(encoded)
    assert (read.parsed, read.is_garbled) == (None, False)
    assert read.broken
    assert read.key == holder.key.public_key()
    assert read.tax_ids == frozenset()


def test_the_key_is_found_in_the_structure_not_by_its_looks() -> None:
    holder = issue("LOJA")
    info = holder.key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert der.public_key_info(holder.der) == info
    for cut in range(120):
        assert der.public_key_info(holder.der[:cut]) is None
    assert der.public_key_info(b"\x30\x80" + holder.der) is None
    assert der.public_key_info(b"\x30\x84\xff\xff\xff\xff") is None


@pytest.mark.parametrize("text", ["", " \n", "AAAA", "not base64!", "RGFuZmVTaGFycA==", "ção", "A" * 100_000])
def test_what_is_no_certificate_says_why(text: str) -> None:
    read = signer_certificate.read(text)
    assert read.parsed is None
    assert read.key is None
    assert read.broken
    assert read.is_garbled


def test_what_is_longer_than_any_certificate_is_not_looked_at() -> None:
    at_most = "!" * 60_000
    assert signer_certificate.read(at_most).broken == message("it is not written in base64")
    assert signer_certificate.read(at_most + "!").broken == message("it is too long")


def test_a_key_that_cannot_sign_papers_is_none() -> None:
    authority = issue("AC")
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name("LOJA:11222333000181"))
        .issuer_name(authority.certificate.subject)
        .public_key(ed25519.Ed25519PrivateKey.generate().public_key())
        .serial_number(5)
        .not_valid_before(FIRST)
        .not_valid_after(LAST)
        .sign(authority.key, SHA256())
    )
    read = signer_certificate.read(base64.b64encode(certificate.public_bytes(Encoding.DER)).decode())
    assert read.parsed == certificate
    assert read.key is None
    assert read.broken
