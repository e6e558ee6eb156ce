from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.hub.http.error_text import LONGEST, hide, is_page, tidy, words_of


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            {"code": "E1", "message": "Token inválido.", "details": "Gere outro.", "resources": None},
            "Token inválido. Gere outro. (E1)",
        ),
        ({"code": 422, "message": "Data inválida"}, "Data inválida (422)"),
        ({"code": "E1", "message": None, "details": ["campo a", {"message": "campo b"}]}, "campo a campo b (E1)"),
        ({"response": "Limite mínimo é 5", "operation": "LIST"}, "Limite mínimo é 5"),
        ({"response": {"message": "Não"}, "operation": "LIST"}, "Não"),
        ({"errors": [{"message": "um"}, {"message": "dois"}]}, "um dois"),
        ({"error": "invalid", "error_description": "expirou"}, "expirou invalid"),
        ({"message": "igual", "details": "igual"}, "igual"),
        ("só um texto", "só um texto"),
        (["a", "b"], "a b"),
        ({"code": True, "outra": "coisa"}, ""),
        (17, ""),
        (None, ""),
    ],
)
def test_every_shape_of_error_becomes_a_sentence(body: object, said: str) -> None:
    assert words_of(json.dumps(body).encode(), "application/json") == said


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        (b"", "application/json", ""),
        (b"Servi\xe7o fora do ar", "text/plain", "Serviço fora do ar"),
        ("\ufeffServiço\x00 fora\r\n\tdo  ar".encode(), "text/plain", "Serviço fora do ar"),
        (b"<html><head><title>502 Bad\n Gateway</title></head><body><h1>nginx</h1>", "text/html", "502 Bad Gateway"),
        (b"<!-- x --><!DOCTYPE html><title>Manuten&ccedil;&atilde;o</title>", "", "Manutenção"),
        (b"<html><body>no title", "text/html", ""),
        (
            b"<Error><Code>AccessDenied</Code><Message>No &amp; never</Message></Error>",
            "application/xml",
            "AccessDenied No & never",
        ),
        (b'{"message": "cut', "application/json", '{"message": "cut'),
        (b'{"message": "a\\u202eb\\u0007c"}', "application/json", "a b c"),
        (b"[" * 100_000, "application/json", "[" * (LONGEST - 1) + "…"),
    ],
)
def test_other_bodies_too(body: bytes, content_type: str, said: str) -> None:
    assert words_of(body, content_type) == said


@given(st.binary(max_size=400), st.sampled_from(["application/json", "text/html", "text/plain; charset=x", ""]))
def test_any_body_gives_one_short_line(body: bytes, content_type: str) -> None:
    said = words_of(body, content_type)
    assert len(said) <= LONGEST
    assert said.isprintable() or not said
    said.encode()


def test_tidy_cuts_long_text() -> None:
    assert len(tidy("x" * 1000)) == LONGEST
    assert tidy("x" * LONGEST) == "x" * LONGEST


def test_a_page_is_known_by_claim_or_by_its_beginning() -> None:
    assert is_page(b"anything", "text/html; charset=utf-8")
    assert is_page(b"\xef\xbb\xbf \n<HTML lang='pt'>", "application/xml")
    assert not is_page(b"<?xml version='1.0'?><nfeProc/>", "application/xml")
    assert not is_page(b"<header/>", "application/xml")


def test_a_secret_is_hidden_in_both_of_its_forms() -> None:
    assert hide("a s/1+ b s%2F1%2B c s/1%2B", "s/1+") == "a [hidden] b [hidden] c [hidden]"
