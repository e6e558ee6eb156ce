"""Papers built to harm whoever judges them: to end the judgement, to never end it, to be believed."""

from __future__ import annotations

import base64
import hashlib

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding

from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result
from sandbox_hub.paper.authority import Authority, Signer
from tests.fiscal.authenticity.issuing import FIRST, LAST, issue, name
from tests.fiscal.authenticity.judged import one
from tests.fiscal.authenticity.signing import IDE, body, note, rsa, signature, signed_note
from tests.sandbox_hub.paper.cases import CARRIER, NORMAL


@pytest.fixture(scope="module")
def signer(authority: Authority) -> Signer:
    return authority.signer(NORMAL)


def both(data: bytes, trust: Trust) -> tuple[CheckLine, CheckLine]:
    lines = one(data, trust)
    return lines[Check.DIGEST], lines[Check.SIGNATURE]


@pytest.mark.parametrize(
    "content",
    [
        "<x {}></x>".format(" ".join(f'xmlns:a{number}="urn:{number}"' for number in range(3_000))),
        "<x {}></x>".format(" ".join(f'a{number}="1"' for number in range(30_000))),
        "<x xmlns:a='urn:a' xmlns:b='urn:b' xmlns:c='urn:c' xmlns:d='urn:d'>" * 100 + "<y/>" * 10_000 + "</x>" * 100,
    ],
    ids=["namespaces", "attributes", "namespaces at every level"],
)
def test_what_would_cost_the_square_of_its_size_is_not_tried(
    signer: Signer, sandbox_trust: Trust, content: str
) -> None:
    """Seconds to minutes each, for less than a megabyte."""
    made = signature(body(), rsa(signer), [signer.certificate_base64])
    judged = both(note(body(IDE + content, declared="") + made), sandbox_trust)
    assert [line.result for line in judged] == [Result.UNCHECKED, Result.UNCHECKED]
    assert all("too long" in str(line.why) for line in judged)


def test_a_dozen_namespaces_are_nothing_special(signer: Signer, sandbox_trust: Trust) -> None:
    around = " ".join(f'xmlns:a{number:02}="urn:{number}"' for number in range(30))
    wrapped = f"<lot {around}>{signed_note(signer).decode()}</lot>".encode()
    assert [line.result for line in both(wrapped, sandbox_trust)] == [Result.OK, Result.OK]


def test_no_certificate_ends_the_judgement(authority: Authority, signer: Signer, sandbox_trust: Trust) -> None:
    """What a parser reads only when asked can be broken too: each byte of a real certificate in its turn."""
    other = authority.signer(CARRIER)
    genuine = base64.b64decode(signer.certificate_base64)
    broken = 0
    for place in range(len(genuine)):
        for value in {0xFF, genuine[place] ^ 1, 0x1E} - {genuine[place]}:
            changed = genuine[:place] + bytes([value]) + genuine[place + 1 :]
            encoded = [base64.b64encode(changed).decode(), other.certificate_base64]
            data = note(body(declared="") + signature(body(), lambda _: b"x", encoded))
            (judged,) = judge_paper(data, sandbox_trust, world=World.SANDBOX)
            broken += judged.verdict.line(Check.SIGNER).result is Result.UNCHECKED
    assert broken > 100


def test_a_key_that_anybody_can_break_proves_nothing(sandbox_trust: Trust) -> None:
    """Two primes of 256 bits; the signature itself is in good order."""
    first, second = 2**255 + 95, 2**256 - 189
    public = RSAPublicNumbers(65537, first * second).public_key()
    secret = pow(65537, -1, (first - 1) * (second - 1))

    def sign(text: bytes) -> bytes:
        digest = bytes.fromhex("3021300906052b0e03021a05000414") + hashlib.sha1(text).digest()
        padded = b"\0\1" + b"\xff" * (64 - 3 - len(digest)) + b"\0" + digest
        return pow(int.from_bytes(padded, "big"), secret, first * second).to_bytes(64, "big")

    public.verify(sign(b"x"), b"x", PKCS1v15(), SHA1())  # it would hold
    root = issue("Raiz")
    builder = x509.CertificateBuilder(root.certificate.subject, name("LOJA:11222333000181"), public, 1, FIRST, LAST)
    certificate = base64.b64encode(builder.sign(root.key, SHA256()).public_bytes(Encoding.DER)).decode()
    digest, value = both(note(body(declared="") + signature(body(), sign, [certificate])), sandbox_trust)
    assert digest.result is Result.OK
    assert value.result is Result.UNCHECKED
    assert "too short" in str(value.why)
