"""Whatever stands around a paper: procs, lots, SOAP, distributions, text in CDATA; found, paired and told."""

from __future__ import annotations

import base64
import gzip

import pytest

from confere.fiscal.model import Paper
from confere.fiscal.reading import envelopes
from confere.fiscal.reading.paper import read, read_root
from confere.fiscal.reading.xml import open_paper
from confere.fiscal.traits import Trait
from tests.fiscal import made

KEY = made.access_key()
PROC = made.nfe_proc(declaration="")


def codes(paper: Paper) -> list[str]:
    return [warning.code for warning in paper.warnings]


def test_a_paper_in_its_usual_form_has_nothing_to_tell() -> None:
    for text in (PROC, made.note(), made.event_proc(KEY), made.cte_proc(made.freight())):
        paper = read(text.encode())
        assert paper.recognised
        assert Trait.WRAPPED not in codes(paper)


@pytest.mark.parametrize(
    ("text", "root"),
    [
        (made.soap(PROC), "Envelope"),
        (made.soap(made.soap(PROC)), "Envelope"),
        (f'<enviNFe xmlns="{made.NFE}" versao="4.00"><idLote>1</idLote>{made.note()}</enviNFe>', "enviNFe"),
        (f'<nfeDadosMsg xmlns="{made.NFE}"><![CDATA[{made.DECLARATION}{PROC}]]></nfeDadosMsg>', "nfeDadosMsg"),
        (made.soap("\n" + PROC.replace("<", "&lt;")), "Envelope"),
        (f"<retNFe><procNFe>{PROC}</procNFe></retNFe>", "retNFe"),
        (f"<consultas><consulta><resposta><a><b>{PROC}</b></a></resposta></consulta></consultas>", "consultas"),
    ],
)
def test_a_note_in_an_envelope(text: str, root: str) -> None:
    paper = read(text.encode())
    assert paper.root == root
    assert [document.access_key for document in paper.documents] == [KEY]
    assert [(warning.code, warning.detail) for warning in paper.warnings] == [(Trait.WRAPPED, root)]
    assert Trait.WRAPPED in [warning.code for warning in paper.documents[0].warnings]


def test_envelopes_are_opened_to_a_bound() -> None:
    assert read(("<a>" * 8 + PROC + "</a>" * 8).encode()).recognised is False
    assert read(("<a>" * 6 + PROC + "</a>" * 6).encode()).recognised is True


def test_a_lot_of_fifty_notes_with_their_protocols_in_another_order() -> None:
    keys = [made.access_key(number=number) for number in range(1, 51)]
    notes = "".join(made.note(key, number=str(number)) for number, key in enumerate(keys, 1))
    answers = "".join(made.protocol(key, number=key[25:34]) for key in reversed(keys[:40]))
    stray = made.protocol(made.access_key(number=999))
    paper = read(f'<lote xmlns="{made.NFE}">{notes}{answers}{stray}</lote>'.encode())
    assert [document.access_key for document in paper.documents] == keys
    for number, document in enumerate(paper.documents, 1):
        if number <= 40:
            assert document.protocol is not None
            assert document.protocol.number == f"{number:09d}"
        else:
            assert document.protocol is None
    assert [(warning.code, warning.detail) for warning in paper.warnings] == [
        (Trait.WRAPPED, "lote"),
        (Trait.PROTOCOL_ALONE, made.access_key(number=999)),
    ]


def test_a_lot_of_procs() -> None:
    procs = [
        made.nfe_proc(made.note(made.access_key(number=n)), made.protocol(made.access_key(number=n)), declaration="")
        for n in range(3)
    ]
    freight = made.cte_proc(made.freight(), made.protocol(made.cte_key(), tag="CTe")).removeprefix(made.DECLARATION)
    paper = read(f"<lote>{''.join(procs)}{freight}{made.event_proc(KEY)}</lote>".encode())
    assert [document.type for document in paper.documents] == ["nfe", "nfe", "nfe", "cte"]
    assert all(document.protocol for document in paper.documents)
    assert [event.embedded for event in paper.events] == [False]


def pack(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode())).decode()


def distribution(*parts: str) -> str:
    inside = "".join(f'<docZip NSU="{number}" schema="x">{part}</docZip>' for number, part in enumerate(parts))
    return f'<retDistDFeInt xmlns="{made.NFE}"><loteDistDFeInt>{inside}</loteDistDFeInt></retDistDFeInt>'


def test_a_distribution_is_unpacked() -> None:
    summary = "<resNFe><chNFe>1</chNFe></resNFe>"
    paper = read(distribution(pack(PROC), pack(made.event_proc(KEY)), pack(summary)).encode())
    assert [document.access_key for document in paper.documents] == [KEY]
    assert [event.registered for event in paper.events] == [True]
    assert codes(paper) == [Trait.WRAPPED]


def test_an_unreadable_part_is_told_and_the_others_are_read() -> None:
    parts = [
        "!!!",
        pack(PROC)[:-20],
        pack("not xml"),
        pack("<!DOCTYPE a><a/>"),
        base64.b64encode(b"PK").decode(),
        pack(PROC),
    ]
    paper = read(distribution(*parts).encode())
    assert len(paper.documents) == 1
    unreadable = [warning.detail[:2] for warning in paper.warnings if warning.code == Trait.UNREADABLE_PART]
    assert unreadable == ["0:", "1:", "2:", "3:", "4:"]


def test_a_packed_bomb_ends_at_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelopes, "_MOST_UNPACKED", 1_000_000)
    bomb = pack("<a>" + " " * 5_000_000 + "</a>")
    paper = read(distribution(pack(PROC), bomb, pack(PROC)).encode())
    assert len(paper.documents) == 1
    assert [warning.detail for warning in paper.warnings[1:]] == ["1: too large", "2: too large"]


def test_what_is_not_ours_is_well_formed_and_unrecognised() -> None:
    for text in (
        "<a/>",
        "<detEvento><descEvento>x</descEvento></detEvento>",
        made.soap("<consSitNFe/>"),
        "<a>&lt;</a>",
    ):
        paper = read(text.encode())
        assert not paper.recognised
    assert read(b"<x:a xmlns:x='urn:y'/>").namespace == "urn:y"
    assert read(b"<x:a xmlns:x='urn:y'/>").root == "a"


def test_an_answer_without_its_document_is_told() -> None:
    paper = read(made.soap(made.protocol(KEY)).encode())
    assert not paper.recognised
    assert [(warning.code, warning.detail) for warning in paper.warnings] == [(Trait.PROTOCOL_ALONE, KEY)]


def test_traits_of_the_file_are_carried_by_all_it_holds() -> None:
    text = made.nfe_proc(made.note(), made.protocol(KEY), made.event_proc(KEY), declaration="")
    paper = read(b"\xef\xbb\xbf" + text.encode())
    assert codes(paper) == [Trait.BOM]
    assert [warning.code for warning in paper.documents[0].warnings] == [Trait.BOM, Trait.EMBEDDED_EVENT]
    assert [warning.code for warning in paper.events[0].warnings] == [Trait.BOM]


def test_a_tree_that_is_already_there_is_not_parsed_again() -> None:
    root, traits = open_paper(PROC.encode())
    assert read_root(root, traits) == read(PROC.encode())
