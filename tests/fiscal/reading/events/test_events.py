"""Reading events and voided ranges: with and without their answers, in lots, embedded, of the time before events."""

from __future__ import annotations

from pathlib import Path

import nfelib
import pytest
from nfelib.nfe_evento_cce.bindings.v1_0.cce_v1_00 import Evento

from confere.fiscal.model import Event, Voiding
from confere.fiscal.reading.document import read
from confere.fiscal.warnings import Trait
from tests.fiscal import made
from tests.fiscal.told import codes, told

KEY = made.access_key()
OTHER = made.access_key(number=11)
FREIGHT = made.cte_key()


def one(data: str) -> Event:
    paper = read(data.encode())
    assert len(paper.events) == 1
    assert paper.documents == paper.voidings == ()
    return paper.events[0]


# -- events ----------------------------------------------------------------------------------------------


def test_a_registered_cancellation() -> None:
    assert one(made.DECLARATION + made.event_proc(KEY)) == Event(
        access_key=KEY,
        code="110111",
        sequence=1,
        description="Cancelamento",
        occurred_at="2026-08-07T12:00:00-03:00",
        author=made.EMITTER,
        sent_to="35",
        registered=True,
        cstat="135",
        reason="Evento registrado e vinculado",
        protocol="135260000000002",
        registered_at="2026-08-07T12:01:00-03:00",
        text="Desistência do comprador",
        environment="1",
        embedded=False,
        model="55",
        warnings=(),
    )


@pytest.mark.parametrize(
    ("tag", "cstat", "registered"),
    [
        ("NFe", "135", True),
        ("NFe", "136", True),
        ("NFe", "155", True),
        ("NFe", "134", False),
        ("NFe", "573", False),
        ("NFe", "", False),
        ("CTe", "134", True),
        ("CTe", "135", True),
        ("CTe", "136", True),
        ("CTe", "155", False),
        ("CTe", "631", False),
    ],
)
def test_only_the_right_answers_register(tag: str, cstat: str, registered: bool) -> None:
    event = one(made.event_proc(KEY if tag == "NFe" else FREIGHT, tag=tag, cstat=cstat))
    assert (event.registered, event.cstat) == (registered, cstat or None)
    assert event.model == ("55" if tag == "NFe" else "57")


def test_a_request_without_answer_is_not_registered() -> None:
    event = one(made.event(KEY))
    assert (event.registered, event.cstat, event.protocol) == (False, None, None)
    assert codes(event) == [Trait.NO_NAMESPACE]


def test_an_answer_alone_is_the_authoritys_word() -> None:
    event = one(made.event_answer(KEY))
    assert (event.access_key, event.code, event.sequence, event.registered) == (KEY, "110111", 1, True)
    assert (event.description, event.author, event.occurred_at) == ("Cancelamento homologado", None, None)


def test_an_answer_about_another_document_is_told() -> None:
    event = one(f"<procEventoNFe>{made.event(KEY)}{made.event_answer(OTHER)}</procEventoNFe>")
    assert event.access_key == KEY
    assert (Trait.PROTOCOL_KEY_DIFFERS, OTHER) in told(event)


def test_an_unknown_code_is_kept_as_its_number() -> None:
    detail = "<descEvento>Crédito da reforma</descEvento>"
    event = one(made.event_proc(KEY, code="112199", detail=detail))
    assert (event.code, event.description, event.text, event.registered) == ("112199", "Crédito da reforma", None, True)


def test_a_letter_of_correction() -> None:
    detail = (
        "<descEvento>Carta de Correcao</descEvento><xCorrecao>\n Uma caixa </xCorrecao><xCondUso>A Carta…</xCondUso>"
    )
    event = one(made.event_proc(KEY, code="110110", detail=detail))
    assert event.text == "Uma caixa"


def test_a_freights_letter_of_correction_names_each_field() -> None:
    detail = (
        "<evCCeCTe><descEvento>Carta de Correcao</descEvento><infCorrecao><grupoAlterado>ide</grupoAlterado>"
        "<campoAlterado>cfop</campoAlterado><valorAlterado>6353</valorAlterado></infCorrecao>"
        "<infCorrecao><grupoAlterado/><campoAlterado/><valorAlterado/></infCorrecao>"
        "<infCorrecao><campoAlterado>xObs</campoAlterado></infCorrecao></evCCeCTe>"
    )
    event = one(made.event_proc(FREIGHT, code="110110", tag="CTe", detail=detail))
    assert (event.description, event.text) == ("Carta de Correcao", "ide/cfop: 6353\nxObs: ")


@pytest.mark.parametrize(("group", "tag"), [("evCancCTe", "xJust"), ("evPrestDesacordo", "xObs")])
def test_a_freights_own_words_stand_one_level_deeper(group: str, tag: str) -> None:
    detail = f"<{group}><descEvento>D</descEvento><nProt>1</nProt><{tag}>Motivo</{tag}></{group}>"
    assert one(made.event_proc(FREIGHT, tag="CTe", code="610110", detail=detail)).text == "Motivo"


def test_agrees_with_the_generated_binding_of_a_letter() -> None:
    path = next((Path(nfelib.__file__).parent / "nfe_evento_cce/samples").rglob("*.xml"))
    bound = Evento.from_path(str(path)).infEvento
    event = read(path.read_bytes()).events[0]
    assert (event.access_key, event.code, event.author) == (bound.chNFe, bound.tpEvento.value, bound.CNPJ)
    assert (event.sequence, event.occurred_at) == (int(bound.nSeqEvento), bound.dhEvento)
    assert (event.description, event.text) == (bound.detEvento.descEvento.value, bound.detEvento.xCorrecao)
    assert event.environment == bound.tpAmb.value


def test_a_lot_pairs_each_event_with_its_answer() -> None:
    requests = "".join(made.event(key, sequence=number) for key in (KEY, OTHER) for number in (1, 2))
    answers = "".join(
        made.event_answer(key, sequence=number, cstat=cstat)
        for number, cstat in ((2, "573"), (1, "135"))
        for key in (OTHER, KEY)
    )
    alone = made.event_answer(made.access_key(number=12), code="110110")
    paper = read(f'<lote xmlns="{made.NFE}">{requests}{answers}{alone}</lote>'.encode())
    assert [(event.access_key, event.sequence, event.cstat) for event in paper.events] == [
        (KEY, 1, "135"),
        (KEY, 2, "573"),
        (OTHER, 1, "135"),
        (OTHER, 2, "573"),
        (made.access_key(number=12), 1, "135"),
    ]
    assert codes(paper) == [Trait.WRAPPED]


@pytest.mark.parametrize("inner", ["procEventoNFe", "evento", "retEvento"])
def test_an_event_inside_the_file_of_its_document(inner: str) -> None:
    event = {
        "procEventoNFe": made.event_proc(KEY),
        "evento": made.event(KEY) + made.event_answer(KEY),
        "retEvento": made.event_answer(KEY),
    }[inner]
    paper = read(made.nfe_proc(made.note(), made.protocol(KEY), event).encode())
    assert codes(paper.documents[0]) == [Trait.EMBEDDED_EVENT]
    assert [(found.embedded, found.registered, found.code) for found in paper.events] == [(True, True, "110111")]
    assert codes(paper) == []


def test_a_cancellation_of_the_time_before_events() -> None:
    text = (
        f'<procCancNFe xmlns="{made.NFE}" versao="1.07"><cancNFe><infCanc Id="ID{KEY}"><tpAmb>1</tpAmb><xServ>CANCELAR'
        f"</xServ><chNFe>{KEY}</chNFe><nProt>1</nProt><xJust>Pedido desfeito</xJust></infCanc></cancNFe>"
        f"<retCancNFe><infCanc><tpAmb>1</tpAmb><cStat>101</cStat><xMotivo>Cancelamento homologado</xMotivo>"
        f"<chNFe>{KEY}</chNFe><dhRecbto>2010-01-02T03:04:05</dhRecbto><nProt>2</nProt></infCanc></retCancNFe></procCancNFe>"
    )
    event = one(text)
    assert (event.access_key, event.code, event.sequence, event.registered) == (KEY, "110111", None, True)
    assert (event.text, event.protocol, event.registered_at) == ("Pedido desfeito", "2", "2010-01-02T03:04:05")
    assert codes(event) == [Trait.LEGACY_CANCELLATION]
    late = one(text.replace("<cStat>101<", "<cStat>151<"))
    assert late.registered
    assert not one(text.replace("<cStat>101<", "<cStat>420<")).registered
    freight = text.replace("NFe", "CTe").replace(KEY, FREIGHT)
    assert (one(freight).model, one(freight).registered) == ("57", True)
    embedded = read(made.cte_proc(made.freight(), freight).encode())
    assert [event.embedded for event in embedded.events] == [True]


def test_events_of_other_families_are_not_taken_for_ours() -> None:
    text = "<evento xmlns='http://www.sped.fazenda.gov.br/nfse'><infEvento><chNFSe>1</chNFSe></infEvento></evento>"
    assert not read(text.encode()).recognised
    assert not read(b"<evento/>").recognised
    assert not read(b"<procEventoNFe><evento/><retEvento/></procEventoNFe>").recognised


def test_warnings_on_an_events_key_and_environment() -> None:
    event = one(made.event_proc("9" * 44).replace("<tpAmb>1<", "<tpAmb>2<"))
    assert codes(event) == [Trait.BAD_CHECK_DIGIT, Trait.TEST_ENVIRONMENT]
    assert codes(one(made.event_proc(KEY[:41]))) == [Trait.KEY_LENGTH]
    assert one(made.event_proc(KEY[:41])).model == "55"


# -- voided ranges ---------------------------------------------------------------------------------------

RANGE = (
    f"<cUF>35</cUF><ano>26</ano><CNPJ>{made.LETTERED}</CNPJ><mod>55</mod><serie>1</serie>"
    "<nNFIni>100</nNFIni><nNFFin>110</nNFFin>"
)
REQUEST = f"<inutNFe><infInut><tpAmb>1</tpAmb>{RANGE}<xJust>Salto de numeração</xJust></infInut></inutNFe>"
ANSWER = (
    f"<retInutNFe><infInut><tpAmb>1</tpAmb><cStat>102</cStat><xMotivo>Inutilizacao homologada</xMotivo>{RANGE}"
    "<dhRecbto>2026-08-31T10:00:00-03:00</dhRecbto><nProt>135260000000009</nProt></infInut></retInutNFe>"
)


def voided(data: str) -> Voiding:
    paper = read(data.encode())
    assert len(paper.voidings) == 1
    return paper.voidings[0]


@pytest.mark.parametrize("root", ["procInutNFe", "ProcInutNFe"])
def test_a_voided_range(root: str) -> None:
    voiding = voided(f'{made.DECLARATION}<{root} xmlns="{made.NFE}" versao="4.00">{REQUEST}{ANSWER}</{root}>')
    assert voiding == Voiding(
        uf_code="35",
        year="26",
        emitter=made.LETTERED,
        model="55",
        series=1,
        first=100,
        last=110,
        reason="Salto de numeração",
        cstat="102",
        protocol="135260000000009",
        registered_at="2026-08-31T10:00:00-03:00",
        environment="1",
        warnings=(),
        answer="Inutilizacao homologada",
    )
    assert voiding.registered


def test_a_request_and_an_answer_alone() -> None:
    request, answer = voided(REQUEST), voided(ANSWER)
    assert (request.first, request.registered, request.reason) == (100, False, "Salto de numeração")
    assert (answer.first, answer.registered, answer.reason) == (100, True, None)
    assert codes(request) == [Trait.NO_NAMESPACE]


def test_a_refusal_without_a_range_is_no_voiding() -> None:
    refused = "<retInutNFe><infInut><cStat>241</cStat><cUF>41</cUF></infInut></retInutNFe>"
    assert not read(refused.encode()).recognised
    both = voided(f"<procInutNFe>{REQUEST}{refused}</procInutNFe>")
    assert (both.first, both.cstat, both.registered) == (100, "241", False)


def test_a_freights_range_and_several_in_one_file() -> None:
    freight = REQUEST.replace("inutNFe", "inutCTe").replace("nNF", "nCT")
    assert (voided(freight).first, voided(freight).last) == (100, 110)
    second = REQUEST.replace("<nNFIni>100<", "<nNFIni>200<")
    paper = read(f"<lote>{REQUEST}{second}{ANSWER}</lote>".encode())
    assert [(voiding.first, voiding.registered) for voiding in paper.voidings] == [(100, True), (200, False)]


def test_ranges_of_two_emitters_do_not_take_each_others_answers() -> None:
    other = made.EMITTER
    answers = ANSWER.replace(made.LETTERED, other).replace("102", "256") + ANSWER
    paper = read(f"<lote>{REQUEST}{REQUEST.replace(made.LETTERED, other)}{answers}</lote>".encode())
    assert [(voiding.emitter, voiding.cstat) for voiding in paper.voidings] == [(made.LETTERED, "102"), (other, "256")]


@pytest.mark.parametrize("root", ["procInutCTe", "ProcInutCTe"])
def test_a_freights_voided_range_with_its_answer(root: str) -> None:
    text = f"<{root}>{REQUEST}{ANSWER}</{root}>".replace("InutNFe", "InutCTe").replace("inutNFe", "inutCTe")
    voiding = voided(text.replace("nNF", "nCT").replace("<mod>55<", "<mod>57<"))
    assert (voiding.model, voiding.first, voiding.last, voiding.registered) == ("57", 100, 110, True)
    assert (voiding.reason, voiding.answer) == ("Salto de numeração", "Inutilizacao homologada")
    assert Trait.WRAPPED not in codes(voiding)


def test_an_old_cancellation_is_read_whole() -> None:
    text = (
        f"<cancNFe><infCanc Id='ID{KEY}'><tpAmb>1</tpAmb><xServ>CANCELAR</xServ><chNFe>{KEY}</chNFe><nProt>1</nProt>"
        "<xJust>Pedido desfeito</xJust></infCanc></cancNFe>"
    )
    event = read(text.encode(), whole=True).events[0]
    assert (event.text, event.references) == ("Pedido desfeito", ())
    assert ("nProt", "1") in event.fields
