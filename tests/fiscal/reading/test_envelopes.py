"""Whatever stands around a paper: procs, lots, SOAP, distributions, text in CDATA; found, paired and told."""

from __future__ import annotations

import base64
import gzip

import pytest
from lxml.etree import _Element

from confere.fiscal.reading import envelopes
from confere.fiscal.reading.document import read, read_root
from confere.fiscal.reading.events import events
from confere.fiscal.reading.xml import open_paper
from confere.fiscal.warnings import Trait, asks_attention
from tests.fiscal import made
from tests.fiscal.told import codes, told

KEY = made.access_key()
PROC = made.nfe_proc(declaration="")


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
    assert told(paper) == [(Trait.WRAPPED, root)]
    assert Trait.WRAPPED in [warning.code for warning in paper.documents[0].warnings]


def test_envelopes_are_opened_to_a_bound() -> None:
    assert read(("<a>" * 12 + PROC + "</a>" * 12).encode()).recognised is False
    assert read(("<a>" * 11 + PROC + "</a>" * 11).encode()).recognised is True


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
    assert told(paper) == [
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
    assert told(paper) == [
        (Trait.WRAPPED, "retDistDFeInt"),
        (Trait.SUMMARY_ONLY, "1"),
    ]


SUMMARY = f"<resNFe xmlns='{made.NFE}'><chNFe>{KEY}</chNFe><xNome>Papelaria</xNome><vNF>10.00</vNF></resNFe>"
SUMMARY_OF_EVENT = f"<resEvento xmlns='{made.NFE}'><chNFe>{KEY}</chNFe><tpEvento>110111</tpEvento></resEvento>"


@pytest.mark.parametrize(("summary", "expected"), [(SUMMARY, KEY), (SUMMARY_OF_EVENT, f"{KEY} 110111")])
@pytest.mark.parametrize("form", ["alone", "packed", "in an answer"])
def test_a_summary_is_no_document_and_says_so(summary: str, expected: str, form: str) -> None:
    text = {"alone": summary, "packed": distribution(pack(summary)), "in an answer": made.soap(summary)}[form]
    paper = read(text.encode())
    assert (paper.documents, paper.events, paper.recognised) == ((), (), False)
    assert told(paper) == [(Trait.SUMMARY_ONLY, expected)]
    assert asks_attention(Trait.SUMMARY_ONLY)
    assert form == "packed" or KEY in paper.text  # somebody may look for it


def test_very_many_warnings_of_one_kind_are_cut() -> None:
    paper = read(f"<lote>{SUMMARY * 250}{made.protocol(KEY)}</lote>".encode())
    summaries = [detail for code, detail in told(paper) if code == Trait.SUMMARY_ONLY]
    assert (len(summaries), summaries[-1]) == (100, "…")
    assert Trait.PROTOCOL_ALONE in codes(paper)


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
    assert [detail for _, detail in told(paper)[1:]] == ["1: too large", "2: too large"]


def test_the_answer_of_the_distribution_service_as_it_comes() -> None:
    answer = distribution(pack(made.DECLARATION + PROC), pack(made.cte_proc(made.freight())), pack(SUMMARY))
    text = made.soap(f"<nfeDistDFeInteresseResponse>{answer}</nfeDistDFeInteresseResponse>")
    paper = read((made.DECLARATION + text).encode())
    assert [document.access_key for document in paper.documents] == [KEY, made.cte_key()]
    assert all(Trait.WRAPPED in codes(document) for document in paper.documents)
    assert told(paper) == [(Trait.WRAPPED, "Envelope"), (Trait.SUMMARY_ONLY, KEY)]


def test_a_packed_lot_within_soap_within_cdata() -> None:
    inner = distribution(pack(f"<lote>{PROC}{made.event_proc(KEY)}</lote>"))
    paper = read(f"<resposta><![CDATA[{made.DECLARATION}{made.soap(inner)}]]></resposta>".encode())
    assert [document.access_key for document in paper.documents] == [KEY]
    assert [event.access_key for event in paper.events] == [KEY]


def test_papers_written_out_as_text_have_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    written = f"<a><![CDATA[{PROC}]]></a>"
    room = 2 * (PROC.count("<") + PROC.count("="))
    monkeypatch.setattr(envelopes, "_MOST_INNER_MARKS", room)
    paper = read(f"<lote>{written * 3}</lote>".encode())
    assert len(paper.documents) == 2
    assert told(paper)[1:] == [(Trait.UNREADABLE_PART, "a: too large")]


def test_a_lot_and_the_answer_to_it_in_one_file() -> None:
    keys = [made.access_key(number=number) for number in (1, 2, 3)]
    notes = "".join(made.note(key, number=str(number)) for number, key in enumerate(keys, 1))
    answers = "".join(made.protocol(key, number=key[25:34]) for key in (keys[2], keys[0]))
    sent = f'<enviNFe xmlns="{made.NFE}"><idLote>1</idLote>{notes}</enviNFe>'
    answered = f'<retConsReciNFe xmlns="{made.NFE}"><nRec>1</nRec>{answers}</retConsReciNFe>'
    for text in (f"<log>{sent}{answered}</log>", f"<log>{answered}{made.soap(sent)}</log>"):
        paper = read(text.encode())
        numbers = [document.protocol.number if document.protocol else None for document in paper.documents]
        assert numbers == [keys[0][25:34], None, keys[2][25:34]]
        assert codes(paper) == [Trait.WRAPPED]


def test_the_answer_to_a_lot_alone_names_each_note() -> None:
    keys = [made.access_key(number=number) for number in (1, 2)]
    answers = "".join(made.protocol(key) for key in keys)
    paper = read(f'<retConsReciNFe xmlns="{made.NFE}"><cStat>104</cStat>{answers}</retConsReciNFe>'.encode())
    assert not paper.recognised
    assert told(paper) == [(Trait.PROTOCOL_ALONE, key) for key in keys]


def test_a_lot_of_freights() -> None:
    keys = [made.cte_key(number=number) for number in (1, 2)]
    freights = "".join(made.freight(key).replace("<nCT>77<", f"<nCT>{int(key[25:34])}<") for key in keys)
    paper = read(f'<enviCTe xmlns="{made.CTE}"><idLote>1</idLote>{freights}</enviCTe>'.encode())
    assert [document.access_key for document in paper.documents] == keys
    assert codes(paper) == [Trait.WRAPPED]


def test_events_of_a_lot_find_their_answers_elsewhere_in_the_file() -> None:
    other = made.access_key(number=11)
    sent = "".join(made.event(key, sequence=number) for key in (KEY, other) for number in (1, 2))
    answered = "".join(
        made.event_answer(key, sequence=number, cstat=cstat)
        for key, number, cstat in ((other, 2, "135"), (KEY, 1, "136"), (KEY, 2, "573"))
    )
    for text in (
        f"<log><envEvento>{sent}</envEvento><retEnvEvento>{answered}</retEnvEvento></log>",
        f"<log>{made.soap(f'<retEnvEvento>{answered}</retEnvEvento>')}<envEvento>{sent}</envEvento></log>",
        f"<procEventoNFe>{sent}<retEnvEvento>{answered}</retEnvEvento></procEventoNFe>",
    ):
        events = read(text.encode()).events
        found = {(event.access_key, event.sequence): (event.cstat, event.registered) for event in events}
        assert len(events) == 4
        assert found == {
            (KEY, 1): ("136", True),
            (KEY, 2): ("573", False),
            (other, 1): (None, False),
            (other, 2): ("135", True),
        }


@pytest.mark.parametrize("tag", ["NFe", "CTe"])
@pytest.mark.parametrize("form", ["proc", "request", "answer"])
def test_an_event_beside_its_document(tag: str, form: str) -> None:
    key = KEY if tag == "NFe" else made.cte_key()
    suffix = "" if tag == "NFe" else tag
    event = {
        "proc": made.event_proc(key, tag=tag),
        "request": made.event(key, tag=tag, name=f"evento{suffix}"),
        "answer": made.event_answer(key, tag=tag, name=f"retEvento{suffix}"),
    }[form]
    answer = made.protocol(key, tag=tag)
    whole = made.nfe_proc(made.note(), answer, event) if tag == "NFe" else made.cte_proc(made.freight(), answer, event)
    paper = read(whole.encode())
    assert Trait.EMBEDDED_EVENT in [warning.code for warning in paper.documents[0].warnings]
    assert paper.documents[0].protocol is not None
    assert [(found.embedded, found.registered) for found in paper.events] == [(True, form != "request")]


def test_voided_ranges_in_envelopes() -> None:
    fields = "<ano>26</ano><serie>1</serie><n{0}Ini>5</n{0}Ini><n{0}Fin>9</n{0}Fin>"
    for tag, number in (("NFe", "NF"), ("CTe", "CT")):
        request = f"<inut{tag}><infInut>{fields.format(number)}</infInut></inut{tag}>"
        answer = f"<retInut{tag}><infInut><cStat>102</cStat>{fields.format(number)}</infInut></retInut{tag}>"
        for text, reason in (
            (f"<ProcInut{tag}>{request}{answer}</ProcInut{tag}>", []),
            (f"<procInut{tag}>{request}{answer}</procInut{tag}>", []),
            (made.soap(answer), [Trait.WRAPPED]),
            (f"<log><a>{request}</a><b>{answer}</b></log>", [Trait.WRAPPED]),
            (distribution(pack(f"<procInut{tag}>{request}{answer}</procInut{tag}>")), [Trait.WRAPPED]),
        ):
            paper = read(text.encode())
            assert [(voided.first, voided.last, voided.registered) for voided in paper.voidings] == [(5, 9, True)], text
            assert codes(paper) == reason


def test_a_file_of_very_many_parts_that_pair_up_is_read_in_linear_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0
    real = envelopes.events.identity

    def identity(element: _Element) -> events.Identity:
        nonlocal counted
        counted += 1
        return real(element)

    monkeypatch.setattr(envelopes.events, "identity", identity)
    many = 2000
    read(f"<lote>{made.event(KEY) * many}<a>{made.event_answer(KEY) * many}</a></lote>".encode())
    assert counted <= 6 * many


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
    assert told(paper) == [(Trait.PROTOCOL_ALONE, KEY)]


def test_traits_of_the_file_are_carried_by_all_it_holds() -> None:
    text = made.nfe_proc(made.note(), made.protocol(KEY), made.event_proc(KEY), declaration="")
    paper = read(b"\xef\xbb\xbf" + text.encode())
    assert codes(paper) == [Trait.BOM]
    assert codes(paper.documents[0]) == [Trait.BOM, Trait.EMBEDDED_EVENT]
    assert codes(paper.events[0]) == [Trait.BOM]


def test_a_tree_that_is_already_there_is_not_parsed_again() -> None:
    root, traits = open_paper(PROC.encode())
    assert read_root(root, traits) == read(PROC.encode())


def test_what_is_odd_about_a_file_is_told_with_its_first_paper() -> None:
    broken = "<docZip NSU='2' schema='x'>!!!</docZip>"
    lot = f"<lote>{made.note()}{made.note()}{broken}</lote>"
    first, second = read(lot.encode()).documents
    assert Trait.UNREADABLE_PART in codes(first)
    assert Trait.UNREADABLE_PART not in codes(second)


def test_an_envelope_that_every_paper_inside_would_have_to_look_through_is_not_opened() -> None:
    """Papers times namespaces around them: hours, for a file of a few megabytes."""
    for around in ("xmlns:a{0}='urn:{0}'", "a{0}='1'"):
        for count, documents in ((90, 1), (101, 0)):
            attributes = " ".join(around.format(number) for number in range(count))
            data = f"<lot><inner {attributes}><NFe><infNFe Id='NFe1'/></NFe></inner></lot>".encode()
            paper = read(data)
            assert len(paper.documents) == documents
            assert any(warning.code == Trait.UNREADABLE_PART for warning in paper.warnings) is (documents == 0)
