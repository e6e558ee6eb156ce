"""The search box's language: what is typed becomes the query that was meant, or a sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields as columns
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.app.documents.search import search_tokens
from confere.app.documents.search.search_fields import BY_NAME, FIELDS, ValueKind
from confere.app.documents.search.search_grammar import MOST_SIGNS
from confere.app.documents.search.search_language import fields, parse
from confere.app.documents.search.search_tokens import blanked, tokens
from confere.archive.documents.search.document_query import Lookup, Match, joined, wanted
from confere.fiscal.model import DocumentType, State
from confere.fiscal.operations import Operation
from confere.system import messages
from confere.system.messages import render, set_language
from confere.system.plain_text import folded
from tests.export.made import COMPANY, OTHER, key, note, store

BARE = DocumentQuery()
X = Lookup("words", "x")


def every(*parts: Lookup) -> Match:
    return joined("and", parts)


@pytest.fixture
def language() -> Iterator[None]:
    before = messages._Choice.code
    yield
    messages._Choice.code = before


def asked(text: str, base: DocumentQuery = BARE) -> dict[str, Any]:
    """What the text changed, where nothing is wrong with it."""
    found = parse(text, base)
    assert found.problems == ()
    return {
        column.name: getattr(found.query, column.name)
        for column in columns(DocumentQuery)
        if getattr(found.query, column.name) != getattr(base, column.name)
    }


def wrong(text: str, base: DocumentQuery = BARE) -> tuple[str, str]:
    """What is wrong with it, and where."""
    (problem,) = parse(text, base).problems
    return render(problem.what), text[problem.start : problem.end]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("", {}),
        ("  padaria   4711 ", {"matching": every(Lookup("words", "padaria"), Lookup("number", "4711"))}),
        ('"são joão" venda', {"matching": every(Lookup("words", "são joão"), Lookup("words", "venda"))}),
        ("“são joão”", {"matching": Lookup("words", "são joão")}),
        ("número:4711", {"number": 4711}),
        ("NUMERO:4.711", {"number": 4711}),
        ("nu\u0301mero=4711", {"number": 4711}),
        ("number:1/4711", {"number": 4711, "series": 1}),
        ("serie:2 cfop:5.102 ncm:8517", {"series": 2, "cfop": "5102", "ncm": "8517"}),
        ("uf:sp", {"uf": "SP"}),
        ("estado:sp", {"uf": "SP"}),
        ("estado:cancelada", {"states": ("cancelled",)}),
        ("situação:autorizada,cancelada", {"states": ("authorized", "cancelled")}),
        ("status:denied situacao:rejeitada", {"states": ("denied", "rejected")}),
        ("tipo:NF-e type:cte", {"types": ("nfe", "cte")}),
        ("sentido:saída", {"direction": "out"}),
        ("direction:in", {"direction": "in"}),
        ("operação:venda,frete", {"operations": ("sale", "freight")}),
        ('operacion:"retorno de venda"', {"operations": ("sale_return",)}),
        ("finalidade:crédito,débito", {"purposes": ("5", "6")}),
        ("purpose:return crédito:recusa", {"purposes": ("4",), "credit_types": ("03",)}),
        ("credito:3,recusa-parcial", {"credit_types": ("03", "06")}),
        ("debito:perda debit:06", {"debit_types": ("07", "06")}),
        ("operação:nota-de-crédito,perda-de-estoque", {"operations": ("credit_note", "stock_loss")}),
        ("pedido:2000-1", {"order_id": "2000-1"}),
        ("marketplace:alfa,beta", {"marketplaces": ("alfa", "beta")}),
        ('emitente:"padaria do zé" pão', {"emitter": "padaria do zé", "matching": Lookup("words", "pão")}),
        ("destinatario:maria item:caneca", {"recipient": "maria", "item_words": "caneca"}),
        ("cnpj:11.444.777/0001-61", {"company": "11444777000161"}),
        ("aviso:sim", {"with_warnings": True}),
        ("warning:no", {"with_warnings": False}),
        ("conta:loja", {"account": "loja"}),
        (f'chave:"{key(1)[:22]} {key(1)[22:]}"', {"access_key": key(1)}),
        ("valor:1000", {"total_from": 100000, "total_to": 100000}),
        ("valor:1.000", {"total_from": 100000, "total_to": 100000}),
        ("valor:1.000,50", {"total_from": 100050, "total_to": 100050}),
        ("valor:1000.5", {"total_from": 100050, "total_to": 100050}),
        ("valor:1,000.50", {"total_from": 100050, "total_to": 100050}),
        ("valor:R$ 10..R$ 20,00", {"total_from": 1000, "total_to": 2000}),
        ("valor>1000", {"total_from": 100001}),
        ("valor >= 1000", {"total_from": 100000}),
        ("valor:<1000", {"total_to": 99999}),
        ("total<=R$ 10 x", {"total_to": 1000, "matching": Lookup("words", "x")}),
        ("valor>100 valor<200", {"total_from": 10001, "total_to": 19999}),
        ("valor:100..", {"total_from": 10000}),
        ("emissão:31/10/2026", {"from_day": "2026-10-31", "to_day": "2026-10-31"}),
        ("date:2026-10-31", {"from_day": "2026-10-31", "to_day": "2026-10-31"}),
        ("data:02/2028", {"from_day": "2028-02-01", "to_day": "2028-02-29"}),
        ("mes:2026-10", {"from_day": "2026-10-01", "to_day": "2026-10-31"}),
        ("fecha:2026", {"from_day": "2026-01-01", "to_day": "2026-12-31"}),
        ("data:15/09/2026..10/2026", {"from_day": "2026-09-15", "to_day": "2026-10-31"}),
        ("data>10/2026", {"from_day": "2026-11-01"}),
        ("data<10/2026", {"to_day": "2026-09-30"}),
    ],
)
def test_what_is_meant_is_asked_for(text: str, changes: dict[str, Any]) -> None:
    assert asked(text) == changes


@pytest.mark.parametrize(
    "text", ["10:30", "https://nfe.example/x", "C&A", "a.b", "Obs: entrega", "x > z", "x = z", "foo..bar"]
)
def test_what_could_be_words_stays_words(text: str) -> None:
    pieces = [piece for piece in text.split() if any(map(str.isalnum, piece))]
    assert [lookup.text for lookup in wanted(asked(text)["matching"])] == pieces


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("x valr:10", "There is no field valr; did you mean valor?", "valr:10"),
        ("emitnte:x", "did you mean emitente?", "emitnte:x"),
        ("ref:10", "Put it in quotes", "ref:10"),
        ("valor:abc", "valor needs an amount, such as 1000 or 1.234,56.", "abc"),
        ("valor:1,000", "needs an amount", "1,000"),
        ("valor>1..2", "not both", "1..2"),
        ("valor:20..10", "ends before it begins", "20..10"),
        ("valor>20 valor<10", "ends before it begins", "10"),
        ("valor:", "valor needs a value, such as", "valor:"),
        ("data:31/02/2026", "data needs a day", "31/02/2026"),
        ("data:13/2026", "data needs a day", "13/2026"),
        ("numero:abc", "needs a whole number", "abc"),
        ("numero>10", "cannot be compared", "10"),
        ("numero:1 numero:2", "given twice", "2"),
        ("cfop:51", "needs 4 digits", "51"),
        ("ncm:1", "2 to 8 digits", "1"),
        ("uf:xx", "Choose one of: AC, ", "xx"),
        ("status:autorizda", "did you mean autorizada?", "autorizda"),
        ("status:zzz", "authorized, complemented", "zzz"),
        ("cnpj:11444777000162", "check digits", "11444777000162"),
        ("chave:3526", "44 characters, of an NFS-e 50; this one has 4", "3526"),
        ("tipo:nfe,", "", ""),
        ('x "open phrase', "This quote has no end", '"open phrase'),
        ('emitente:"open', "This quote has no end", '"open'),
    ],
)
def test_what_is_wrong_is_said(text: str, what: str, where: str) -> None:
    if not what:
        assert parse(text, BARE).problems == ()
        return
    said, at = wrong(text)
    assert what in said
    assert at == where


def test_a_text_that_is_too_long_is_refused_before_it_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[str] = []

    def counted(text: str) -> tuple[search_tokens.Token, ...]:
        cut.append(text)
        return tokens(text)

    monkeypatch.setattr(search_tokens, "tokens", counted)
    text = "a," * MOST_SIGNS
    assert "too long: write at most 2000 characters" in wrong(text)[0]
    assert cut == []
    assert wrong("azul " * 60)[1] == "azul"
    assert asked("azul" + " " * MOST_SIGNS) == {"matching": Lookup("words", "azul")}
    assert len(cut) == 2


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a,b..c", [("WORD", "a"), ("RANGE", "b..c")]),
        ("maria,jose,10..20", [("WORD", "maria"), ("WORD", "jose"), ("RANGE", "10..20")]),
        ("90,00..130,00", [("RANGE", "90,00..130,00")]),
        ("1.234,56..2.000,00", [("RANGE", "1.234,56..2.000,00")]),
        ("1,234.56..2,000.00", [("RANGE", "1,234.56..2,000.00")]),
        ("R$ 90,00..R$ 130,00", [("RANGE", "R$ 90,00..R$ 130,00")]),
        ("a=b,c=d", [("WORD", "a=b"), ("WORD", "c=d")]),
        ("1,000,000.00", [("AMOUNT", "1,000,000.00")]),
    ],
)
def test_a_comma_of_a_list_ends_what_is_before_it(text: str, pieces: list[tuple[str, str]]) -> None:
    assert [(token.kind, token.text) for token in tokens(text)] == pieces


def test_a_wrong_text_asks_for_nothing_and_says_all_that_is_wrong() -> None:
    base = DocumentQuery(uf="RJ")
    found = parse("padaria valr:10 uf:SP status:zzz", base)
    assert len(found.problems) == 2
    assert found.query == base
    assert [wrong(text)[1] for text in ("valor: cfop:5102", "x (valor:)")] == ["valor:", "valor:"]


def test_the_text_counts_more_than_what_is_chosen_beside_it() -> None:
    base = DocumentQuery(company=COMPANY, from_day="2026-10-01", to_day="2026-10-31", types=("nfe",), matching=X)
    assert parse("", base).query == base
    assert asked("tipo:cte z", base) == {"types": ("cte",), "matching": every(X, Lookup("words", "z"))}
    assert asked("data>=15/10/2026", base) == {"from_day": "2026-10-15"}
    assert asked("data>=15/11/2026", base) == {"from_day": "2026-11-15", "to_day": None}
    chosen = DocumentQuery(company=COMPANY)
    assert asked("cnpj:11444777000161", chosen) == {"matching": Lookup("tax_id", OTHER)}


def test_every_field_is_named_in_every_language(language: None) -> None:
    for code in ("pt_BR", "en", "es"):
        set_language(code)
        for field, help in zip(FIELDS, fields(), strict=True):
            assert help.explanation and help.example.startswith(f"{help.name}:")
            assert {folded(name) for name in (help.name, *help.synonyms)} <= BY_NAME.keys()
            if field.kind is not ValueKind.TAX_ID:  # the example's key and CNPJ are invented
                assert parse(help.example, BARE).problems == (), help.example
            for value in help.values:
                assert parse(f"{help.name}:{value}", BARE).problems == ()
    set_language("pt_BR")
    assert "valor" in [help.name for help in fields()]


def test_no_name_means_two_fields() -> None:
    seen: dict[str, str] = {}
    for field in FIELDS:
        for name in field.word.every:
            assert seen.setdefault(folded(name), field.word.code) == field.word.code


@pytest.mark.parametrize(("name", "codes"), [("type", DocumentType), ("state", State), ("operation", Operation)])
def test_every_code_of_the_archive_can_be_asked_for(name: str, codes: type[DocumentType | State | Operation]) -> None:
    for code in codes:
        assert parse(f"{name}:{code.value}", BARE).problems == ()


clauses = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(sorted(BY_NAME)),
        st.sampled_from(
            [":", ">", ">=", "..", '"', "R$ ", " ", "1.000,50", "31/12/2199", "2199", "9" * 30, "/", "\udc80"]
        ),
    ),
    max_size=12,
).map("".join)


@given(clauses)
def test_any_text_gives_a_query(text: str) -> None:
    found = parse(text, BARE)
    for problem in found.problems:
        assert 0 <= problem.start < problem.end <= len(text)
        assert render(problem.what)


@given(clauses)
def test_quotes_make_words_of_anything(text: str) -> None:
    bare = text.translate(dict.fromkeys(map(ord, '"“”')))
    if any(map(str.isalnum, bare)) and len(bare) < MOST_SIGNS:
        (lookup,) = wanted(asked(f'"{bare}"')["matching"])
        assert (lookup.kind, lookup.text.split()) == ("words", blanked(bare).split())


def test_the_query_is_answered_by_the_archive(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "home")
    with workspace.writing("test") as archive:
        store(archive, note(1), note(2, day="2026-09-05", words="especial"), note(3, emitter=OTHER))

    def numbers(text: str) -> set[int | None]:
        found = parse(text, BARE)
        assert found.problems == ()
        return {row.number for row in browse.find(workspace, found.query).documents}

    assert numbers("caneca") == {1, 2, 3}
    assert numbers("item:especial") == numbers("data:09/2026") == numbers("especial data<10/2026") == {2}
    assert numbers("valor:10") == {1, 2, 3}
    assert numbers("valor>10") == numbers("aviso:sim ncm:99") == set()
    assert numbers(f"emitente:{OTHER}") == {3}
    assert numbers("número:1 tipo:nf-e situação:autorizada") == {1}
    assert numbers(f"chave:{key(1)}") == {1}
