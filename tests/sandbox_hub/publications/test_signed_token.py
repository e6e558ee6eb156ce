"""The signed token of a hook, checked with an independent reading of JSON Web Tokens."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest

from sandbox_hub.publications.signed_token import LONGEST_AGE, issuer_of, sign

BODY = b'{"idSkuMarketplace": 1}'
NOW = 1_800_000_000
TOKEN = sign("secret", "sandbox", "/canSave", BODY, NOW)


def part(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def forged(header: object, claims: object, secret: str = "secret") -> str:
    signed = ".".join(
        base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode() for content in (header, claims)
    )
    seal = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(seal).rstrip(b'=').decode()}"


def test_it_is_a_json_web_token() -> None:
    header, claims, seal = TOKEN.split(".")
    assert json.loads(part(header)) == {"alg": "HS256", "typ": "JWT"}
    assert json.loads(part(claims)) == {
        "iss": "sandbox",
        "iat": NOW,
        "exp": NOW + LONGEST_AGE,
        "hook": "/canSave",
        "sha256": hashlib.sha256(BODY).hexdigest(),
    }
    assert part(seal) == hmac.new(b"secret", f"{header}.{claims}".encode(), hashlib.sha256).digest()


@pytest.mark.parametrize("moment", [NOW - LONGEST_AGE, NOW, NOW + LONGEST_AGE])
def test_it_names_who_signed(moment: int) -> None:
    assert issuer_of("secret", TOKEN, "/canSave", BODY, moment) == "sandbox"


@pytest.mark.parametrize(
    ("secret", "token", "hook", "body", "now"),
    [
        ("other", TOKEN, "/canSave", BODY, NOW),
        ("secret", TOKEN, "/sendProduct", BODY, NOW),
        ("secret", TOKEN, "/canSave", BODY + b" ", NOW),
        ("secret", TOKEN, "/canSave", BODY, NOW + LONGEST_AGE + 1),
        ("secret", TOKEN, "/canSave", BODY, NOW - LONGEST_AGE - 1),
        ("secret", TOKEN[:-1], "/canSave", BODY, NOW),
        ("secret", "", "/canSave", BODY, NOW),
        ("secret", "..", "/canSave", BODY, NOW),
        ("secret", "é.ü.ñ", "/canSave", BODY, NOW),
        ("secret", TOKEN.rpartition(".")[0] + ".", "/canSave", BODY, NOW),
    ],
)
def test_any_other_call_is_not_signed(secret: str, token: str, hook: str, body: bytes, now: int) -> None:
    assert issuer_of(secret, token, hook, body, now) is None


def test_claims_of_another_kind_are_refused_though_they_are_signed() -> None:
    header = {"alg": "HS256", "typ": "JWT"}
    claims = json.loads(part(TOKEN.split(".")[1]))
    assert issuer_of("secret", forged(header, claims), "/canSave", BODY, NOW) == "sandbox"
    for wrong_header, wrong in (
        ({"alg": "none"}, claims),
        (header, []),
        (header, {**claims, "iat": "now"}),
        (header, {**claims, "iss": 5}),
        (header, {name: value for name, value in claims.items() if name != "sha256"}),
    ):
        assert issuer_of("secret", forged(wrong_header, wrong), "/canSave", BODY, NOW) is None
