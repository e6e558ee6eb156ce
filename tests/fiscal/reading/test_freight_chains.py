"""CT-e that complement, annul and replace each other, as each layout writes it: what they say of one another."""

from __future__ import annotations

import pytest

from confere.fiscal.detail import FreightDetail
from confere.fiscal.model import Document
from confere.fiscal.reading.document import read
from confere.fiscal.references import RelationKind
from tests.fiscal import made

NOTE = made.access_key()
ORIGINAL, COMPLEMENT, ANNULMENT, SUBSTITUTE = (made.cte_key(number=number) for number in (1, 2, 3, 4))
COMPLEMENTED, ANNULLED, REPLACED = RelationKind.COMPLEMENTS, RelationKind.ANNULS, RelationKind.REPLACES


def link(key: str, kind: str, layout: str, *, tail: str = "", normal: str = "", root: str = "CTe") -> Document:
    """A CT-e of `tpCTe` `kind`; a complement and an annulment have no body of their own."""
    text = made.freight(key, layout=layout, tail=tail, normal=normal, documents=[NOTE], root=root)
    text = text.replace("<nCT>77<", f"<nCT>{int(key[25:34])}<").replace("<tpCTe>0<", f"<tpCTe>{kind}<")
    if kind in "12" and not normal:
        start, end = text.index("<infCTeNorm>"), text.index("</infCTeNorm>")
        text = text[:start] + text[end + len("</infCTeNorm>") :]
    document = read(made.cte_proc(text, made.protocol(key, tag="CTe")).encode(), whole=True).documents[0]
    assert document.access_key == key
    assert isinstance(document.detail, FreightDetail)
    return document


def said(document: Document) -> list[tuple[str, str]]:
    return [(reference.kind, reference.access_key) for reference in document.references]


@pytest.mark.parametrize(
    ("layout", "tag", "values"),
    [
        ("1.03", "chave", "<vPresComp><vTPrest>8.00</vTPrest></vPresComp>"),
        ("1.04", "chave", "<vPresComp><vTPrest>8.00</vTPrest></vPresComp>"),
        ("2.00", "chave", ""),
        ("3.00", "chCTe", ""),
        ("4.00", "chCTe", ""),
    ],
)
def test_a_complement(layout: str, tag: str, values: str) -> None:
    tail = f"<infCteComp><{tag}>{ORIGINAL}</{tag}>{values}</infCteComp>"
    document = link(COMPLEMENT, "1", layout, tail=tail)
    assert (document.purpose, said(document)) == ("1", [(COMPLEMENTED, ORIGINAL)])
    assert isinstance(document.detail, FreightDetail)
    assert [name for name, _ in document.detail.sections].count("infCteComp") == 1


def test_a_complement_of_ten() -> None:
    keys = [made.cte_key(number=number) for number in range(10, 20)]
    tail = "".join(f"<infCteComp><chCTe>{key}</chCTe></infCteComp>" for key in keys)
    assert said(link(COMPLEMENT, "1", "4.00", tail=tail)) == [(COMPLEMENTED, key) for key in keys]


@pytest.mark.parametrize("layout", ["1.03", "1.04", "2.00", "3.00"])
def test_an_annulment_and_the_substitute_that_names_both(layout: str) -> None:
    annulment = link(
        ANNULMENT, "2", layout, tail=f"<infCteAnu><chCte>{ORIGINAL}</chCte><dEmi>2026-08-08</dEmi></infCteAnu>"
    )
    assert (annulment.purpose, said(annulment)) == ("2", [(ANNULLED, ORIGINAL)])
    inner = (
        f"<refCteAnu>{ANNULMENT}</refCteAnu>"
        if layout == "3.00"
        else f"<tomaNaoICMS><refCteAnu>{ANNULMENT}</refCteAnu></tomaNaoICMS>"
    )
    normal = f"<infCteSub><chCte>{ORIGINAL}</chCte>{inner}</infCteSub>"
    substitute = link(SUBSTITUTE, "3", layout, normal=normal)
    assert said(substitute) == [
        (RelationKind.CARRIES, NOTE),
        (REPLACED, ORIGINAL),
        (RelationKind.REFERENCES, ANNULMENT),
    ]
    assert isinstance(substitute.detail, FreightDetail)
    assert [entry.access_key for entry in substitute.detail.carried] == [NOTE]
    kept = dict(substitute.detail.sections)["infCteSub"]
    assert ("chCte", ORIGINAL) in kept
    assert kept[-1][1] == ANNULMENT


@pytest.mark.parametrize(("tag", "key"), [("refNFe", made.access_key(number=12)), ("refCte", made.cte_key(number=12))])
def test_a_substitute_that_names_the_takers_own_paper(tag: str, key: str) -> None:
    normal = f"<infCteSub><chCte>{ORIGINAL}</chCte><tomaICMS><{tag}>{key}</{tag}></tomaICMS></infCteSub>"
    found = said(link(SUBSTITUTE, "3", "3.00", normal=normal))
    assert found == [(RelationKind.CARRIES, NOTE), (REPLACED, ORIGINAL), (RelationKind.REFERENCES, key)]


def test_a_substitute_that_names_a_paper_note_keeps_its_words() -> None:
    paper = "<refNF><CNPJ>1</CNPJ><mod>01</mod><serie>1</serie><nro>9</nro><valor>5.00</valor></refNF>"
    normal = f"<infCteSub><chCte>{ORIGINAL}</chCte><tomaICMS>{paper}</tomaICMS></infCteSub>"
    document = link(SUBSTITUTE, "3", "2.00", normal=normal)
    assert said(document) == [(RelationKind.CARRIES, NOTE), (REPLACED, ORIGINAL)]
    assert isinstance(document.detail, FreightDetail)
    assert ("tomaICMS/refNF/nro", "9") in dict(document.detail.sections)["infCteSub"]


def test_a_substitute_of_today_with_another_taker() -> None:
    normal = f"<infCteSub><chCte>{ORIGINAL}</chCte><indAlteraToma>1</indAlteraToma></infCteSub>"
    document = link(SUBSTITUTE, "3", "4.00", normal=normal)
    assert said(document) == [(RelationKind.CARRIES, NOTE), (REPLACED, ORIGINAL)]
    assert isinstance(document.detail, FreightDetail)
    assert ("indAlteraToma", "1") in dict(document.detail.sections)["infCteSub"]


def test_a_simplified_substitute_names_it_beside_its_deliveries() -> None:
    tail = f"<infCteSub><chCte>{ORIGINAL}</chCte></infCteSub>"
    assert said(link(SUBSTITUTE, "6", "4.00", tail=tail, root="CTeSimp"))[-1] == (REPLACED, ORIGINAL)


def test_other_services_replace_and_mention_what_was_cancelled() -> None:
    normal = f"<infCteSub><chCte>{ORIGINAL}</chCte></infCteSub>"
    document = link(made.cte_key(model="67", number=4), "3", "4.00", normal=normal, root="CTeOS")
    assert (REPLACED, ORIGINAL) in said(document)
    mentioned = link(made.cte_key(model="67", number=5), "0", "4.00", normal=f"<refCTeCanc>{ORIGINAL}</refCTeCanc>")
    assert (RelationKind.REFERENCES, ORIGINAL) in said(mentioned)


def test_the_whole_chain_from_its_end() -> None:
    links = {
        document.access_key: dict(said(document))
        for document in (
            link(ORIGINAL, "0", "3.00"),
            link(COMPLEMENT, "1", "3.00", tail=f"<infCteComp><chCTe>{ORIGINAL}</chCTe></infCteComp>"),
            link(ANNULMENT, "2", "3.00", tail=f"<infCteAnu><chCte>{ORIGINAL}</chCte></infCteAnu>"),
            link(SUBSTITUTE, "3", "3.00", normal=f"<infCteSub><chCte>{ORIGINAL}</chCte></infCteSub>"),
        )
    }
    assert links == {
        ORIGINAL: {RelationKind.CARRIES: NOTE},
        COMPLEMENT: {COMPLEMENTED: ORIGINAL},
        ANNULMENT: {ANNULLED: ORIGINAL},
        SUBSTITUTE: {RelationKind.CARRIES: NOTE, REPLACED: ORIGINAL},
    }
