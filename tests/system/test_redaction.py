"""No token survives redaction, in whatever form it got into the text."""

from __future__ import annotations

import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.system import redaction
from confere.system.redaction import HIDDEN, redact, register_secret

TOKENS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=len(HIDDEN) + 1, max_size=60)


@given(TOKENS)
def test_a_registered_secret_is_never_shown(token: str) -> None:
    known, redaction._known = redaction._known, redaction._Known()
    try:
        register_secret(token)
        forms = (token, quote(token, safe=""), quote_plus(token), json.dumps({"a": token}), repr(["x", token]))
        for form in forms:
            shown = redact(f"before {form} after")
            assert token not in shown
            assert form not in shown
            assert HIDDEN in shown
    finally:
        redaction._known = known


def test_a_secret_that_begins_another_does_not_leave_its_end() -> None:
    register_secret("abcd")
    register_secret("abcd-efgh")
    register_secret("abcd-ef")
    assert redact("abcd-efgh abcd-ef abcd") == f"{HIDDEN} {HIDDEN} {HIDDEN}"


def test_very_short_ones_are_not_registered() -> None:
    register_secret("a")
    register_secret("")
    assert redact("a banana") == "a banana"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("serviceToken: s3cr3t-1", f"serviceToken: {HIDDEN}"),
        ("servicetoken=s3cr3t-1&limit=5", f"servicetoken={HIDDEN}&limit=5"),
        ("{'serviceToken': 's3cr3t 1', 'platform': 'erp'}", f"{{'serviceToken': '{HIDDEN}', 'platform': 'erp'}}"),
        ('{"serviceToken": "s3cr3t-1"}', f'{{"serviceToken": "{HIDDEN}"}}'),
        (r'"{\"serviceToken\": \"s3cr3t-1\"}"', rf'"{{\"serviceToken\": \"{HIDDEN}\"}}"'),
        ("[(b'serviceToken', b's3cr3t-1'), (b'a', b'b')]", f"[(b'serviceToken', b'{HIDDEN}'), (b'a', b'b')]"),
        ("Authorization: Bearer s3cr3t.1.x", f"Authorization: {HIDDEN}"),
        ("authorization: Basic czNjcjN0", f"authorization: {HIDDEN}"),
        ("Cookie: session=s3cr3t", f"Cookie: {HIDDEN}"),
        ("password=s3cr3t next", f"password={HIDDEN} next"),
    ],
)
def test_what_stands_in_a_headers_place_is_hidden(text: str, shown: str) -> None:
    assert redact(text) == shown
    assert "s3cr3t" not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "the serviceToken header is missing",
        "the serviceToken, which came from the keyring, was refused",
        "GET /v2/fiscalDocuments?offset=100&limit=100 200",
        "",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    register_secret("a-token-of-a-test")
    assert redact(text) == text
