"""Every kind of event there is: read to its last leaf, with its author's words and the documents it names."""

from __future__ import annotations

from pathlib import Path

import nfelib
import pytest
from lxml import etree

from confere.app.labels.event_names import name_of
from confere.fiscal.document_parts import Reference
from confere.fiscal.model import Event
from confere.fiscal.reading.document import read
from confere.fiscal.references import INVERSE, RelationKind
from confere.fiscal.warnings import Trait
from tests.corpus.files import Sample
from tests.fiscal import made
from tests.fiscal.schema_made import SchemaMaker, leaf_texts
from tests.fiscal.told import told
from tests.samples.folder import label, packaged, written

LIBRARY = Path(nfelib.__file__).parent
NOTE = made.access_key()
SUBSTITUTE = made.access_key(number=11)
FREIGHT = made.cte_key()
CARRIER = made.cte_key(number=90)
MANIFEST = made.access_key(model="58", number=5, emitter=made.CARRIER)

AUTHOR = "<cOrgaoAutor>35</cOrgaoAutor><tpAutor>1</tpAutor><verAplic>1.0</verAplic>"
REGISTERED = (
    f"<CTe><chCTe>{CARRIER}</chCTe><modal>01</modal><dhEmi>2026-08-08T08:00:00-03:00</dhEmi><nProt>1</nProt></CTe>"
    f"<emit><CNPJ>{made.CARRIER}</CNPJ><IE>1</IE><xNome>Transportes</xNome></emit>"
)
ITEM = "<g{0} nItem='1'><vIBS>0.10</vIBS><vCBS>0.90</vCBS><gControleEstoque><q>1.0000</q></gControleEstoque></g{0}>"
CONSUMED = (
    "<gConsumo nItem='3'><vIBS>0.10</vIBS><vCBS>0.90</vCBS><gControleEstoque><qConsumo>1.0000</qConsumo>"
    f"<uConsumo>UN</uConsumo></gControleEstoque><DFeReferenciado><chaveAcesso>{SUBSTITUTE}</chaveAcesso>"
    "<nItem>1</nItem></DFeReferenciado></gConsumo>"
)
DELIVERED = "".join(f"<infEntrega><chNFe>{key}</chNFe></infEntrega>" for key in (NOTE, SUBSTITUTE))
CARRIES_BOTH = ((RelationKind.CARRIES, NOTE), (RelationKind.CARRIES, SUBSTITUTE))

# code -> what stands in `detEvento`, the author's words in it, the documents it names
OF_NOTES: dict[str, tuple[str, str | None, tuple[tuple[RelationKind, str], ...]]] = {
    "110110": ("<xCorrecao>Uma caixa</xCorrecao><xCondUso>A Carta…</xCondUso>", "Uma caixa", ()),
    "110111": ("<nProt>1</nProt><xJust>Pedido desfeito</xJust>", "Pedido desfeito", ()),
    "110112": (
        f"{AUTHOR}<nProt>1</nProt><xJust>Emitida outra</xJust><chNFeRef>{SUBSTITUTE}</chNFeRef>",
        "Emitida outra",
        ((RelationKind.REPLACED_BY, SUBSTITUTE),),
    ),
    "110140": (f"{AUTHOR}<dhEmi>2026-08-08T08:00:00-03:00</dhEmi><tpNF>1</tpNF><dest><UF>PR</UF></dest>", None, ()),
    "110150": (f"{AUTHOR}<autXML><CNPJ>{made.CARRIER}</CNPJ></autXML><tpAutorizacao>0</tpAutorizacao>", None, ()),
    "111500": ("<nProt>1</nProt><itemPedido numItem='1'><qtdeItem>2</qtdeItem></itemPedido>", None, ()),
    "111502": ("<idPedidoCancelado>ID111500</idPedidoCancelado><nProt>1</nProt>", None, ()),
    "210200": ("", None, ()),
    "210210": ("", None, ()),
    "210220": ("", None, ()),
    "210240": ("<xJust>Carga recusada na portaria</xJust>", "Carga recusada na portaria", ()),
    "610600": (f"{AUTHOR}{REGISTERED}", None, ((RelationKind.CARRIED_BY, CARRIER),)),
    "610601": (f"{AUTHOR}{REGISTERED}", None, ((RelationKind.CARRIED_BY, CARRIER),)),
    "610610": (f"{AUTHOR}<MDFe><chMDFe>{MANIFEST}</chMDFe></MDFe>", None, ((RelationKind.REFERENCES, MANIFEST),)),
    "610614": (
        f"{AUTHOR}<MDFe><chMDFe>{MANIFEST}</chMDFe><chCTe>{CARRIER}</chCTe></MDFe>",
        None,
        ((RelationKind.REFERENCES, MANIFEST), (RelationKind.CARRIED_BY, CARRIER)),
    ),
    "110001": (f"{AUTHOR}<tpEventoAut>211120</tpEventoAut><nProtEvento>135</nProtEvento>", None, ()),
    "112110": (f"{AUTHOR}<indQuitacao>1</indQuitacao>", None, ()),
    "112120": (AUTHOR + ITEM.format("Consumo"), None, ()),
    "112130": (AUTHOR + ITEM.format("Perecimento"), None, ()),
    "112140": (AUTHOR + ITEM.format("ItemNaoFornecido"), None, ()),
    "112150": (f"{AUTHOR}<dPrevEntrega>2026-09-01</dPrevEntrega>", None, ()),
    "211110": (AUTHOR + ITEM.format("CredPres"), None, ()),
    "211120": (AUTHOR + CONSUMED, None, ((RelationKind.REFERENCES, SUBSTITUTE),)),
    "211124": (AUTHOR + ITEM.format("Perecimento"), None, ()),
    "211128": (f"{AUTHOR}<indAceitacao>1</indAceitacao>", None, ()),
    "211130": (AUTHOR + ITEM.format("Imobilizacao"), None, ()),
    "211140": (AUTHOR + ITEM.format("ConsumoComb"), None, ()),
    "211150": (AUTHOR + ITEM.format("Credito"), None, ()),
    "212110": (f"{AUTHOR}<indAceitacao>0</indAceitacao>", None, ()),
    "212120": (f"{AUTHOR}<indAceitacao>1</indAceitacao>", None, ()),
    "412120": (
        f"{AUTHOR}<indDeferimento>0</indDeferimento><cMotivo>2</cMotivo><xMotivo>Falta prova</xMotivo>",
        "Falta prova",
        (),
    ),
}
OF_FREIGHTS: dict[str, tuple[str, str | None, tuple[tuple[RelationKind, str], ...]]] = {
    "110110": (
        "<evCCeCTe><infCorrecao><grupoAlterado>infNFe</grupoAlterado><campoAlterado>chave</campoAlterado>"
        "<valorAlterado>1</valorAlterado><nroItemAlterado>2</nroItemAlterado></infCorrecao></evCCeCTe>",
        "infNFe/chave (2): 1",
        (),
    ),
    "110111": ("<evCancCTe><nProt>1</nProt><xJust>Engano</xJust></evCancCTe>", "Engano", ()),
    "110113": ("<evEPECCTe><xJust>Sem rede</xJust><vTPrest>9.00</vTPrest></evEPECCTe>", "Sem rede", ()),
    "110160": ("<evRegMultimodal><xRegistro>Ferrovia</xRegistro><nDoc>1</nDoc></evRegMultimodal>", "Ferrovia", ()),
    "110170": ("<evGTV><infGTV><nDoc>1</nDoc><rem><xNome>Banco</xNome></rem></infGTV></evGTV>", None, ()),
    "110180": (f"<evCECTe><nProt>1</nProt>{DELIVERED}</evCECTe>", None, CARRIES_BOTH),
    "110181": ("<evCancCECTe><nProt>1</nProt><nProtCE>2</nProtCE></evCancCECTe>", None, ()),
    "110190": (
        f"<evIECTe><tpMotivo>4</tpMotivo><xJustMotivo>Porta fechada</xJustMotivo>{DELIVERED}</evIECTe>",
        "Porta fechada",
        CARRIES_BOTH,
    ),
    "110191": ("<evCancIECTe><nProt>1</nProt><nProtIE>2</nProtIE></evCancIECTe>", None, ()),
    "240130": (
        f"<evCTeCompl><chCTeCompl>{CARRIER}</chCTeCompl></evCTeCompl>",
        None,
        ((RelationKind.COMPLEMENTED_BY, CARRIER),),
    ),
    "240140": (f"<evCTeSub><chCTeSub>{CARRIER}</chCTeSub></evCTeSub>", None, ((RelationKind.REPLACED_BY, CARRIER),)),
    "240150": (f"<evCTeAnu><chCTeAnu>{CARRIER}</chCTeAnu></evCTeAnu>", None, ((RelationKind.ANNULLED_BY, CARRIER),)),
    "610110": (
        "<evPrestDesacordo><indDesacordoOper>1</indDesacordoOper><xObs>Valor errado</xObs></evPrestDesacordo>",
        "Valor errado",
        (),
    ),
    "610111": ("<evCancPrestDesacordo><nProtEvPrestDes>1</nProtEvPrestDes></evCancPrestDesacordo>", None, ()),
}
CASES = [
    *((NOTE, "NFe", code, *case) for code, case in OF_NOTES.items()),
    *((FREIGHT, "CTe", code, *case) for code, case in OF_FREIGHTS.items()),
]


def one(text: str, *, whole: bool = True) -> Event:
    paper = read(text.encode(), whole=whole)
    assert len(paper.events) == 1
    return paper.events[0]


@pytest.mark.parametrize(
    ("key", "tag", "code", "inner", "words", "named"), CASES, ids=[f"{c[1]}-{c[2]}" for c in CASES]
)
def test_a_code(
    key: str, tag: str, code: str, inner: str, words: str | None, named: tuple[tuple[RelationKind, str], ...]
) -> None:
    detail = f"<descEvento>Descrição {code}</descEvento>{inner}"
    text = made.event_proc(key, code=code, tag=tag, detail=detail)
    event = one(text)
    assert (event.access_key, event.code, event.sequence, event.registered) == (key, code, 1, True)
    assert (event.description, event.text) == (f"Descrição {code}", words)
    assert event.references == tuple(Reference(kind, other) for kind, other in named)
    assert told(event) == []
    held = [text for _, text in event.fields]
    assert sorted(held) == sorted(leaf for _, leaf in leaf_texts(etree.fromstring(f"<detEvento>{detail}</detEvento>")))
    assert name_of(code, key) is not None
    plain = one(text, whole=False)
    assert (plain.fields, plain.references, plain.text) == ((), event.references, event.text)


@pytest.mark.parametrize("schema", ["cte/schemas/v4_0", "mdfe/schemas/v3_0"])
def test_every_leaf_of_every_event_the_schemas_know(schema: str) -> None:
    tag, key = ("CTe", FREIGHT) if schema.startswith("cte") else ("MDFe", MANIFEST)
    space = f"http://www.portalfiscal.inf.br/{tag.lower()}"
    known = sorted(path.stem.partition("_")[0] for path in (LIBRARY / schema).glob("ev[A-Z]*_v*.xsd"))
    assert len(known) >= 7
    for name in SchemaMaker(LIBRARY / schema, space).elements:
        if name[:2] != "ev" or name.startswith("evento"):
            continue
        event = etree.fromstring(made.event(key, tag=tag, name=f"evento{tag}", detail=f"<{name}/>"))
        group = next(event.iter(name))
        maker = SchemaMaker(LIBRARY / schema, space)
        maker.fill(group, maker.elements[name])
        read_back = one(etree.tostring(event).decode())
        assert [text for _, text in read_back.fields] == [text for _, text in leaf_texts(group)], name


# -- what is named, and what is not ----------------------------------------------------------------------


def test_each_kind_an_event_says_has_the_word_of_the_other_document() -> None:
    assert set(INVERSE) == {kind for kind in RelationKind if kind.value.endswith("_by")}
    assert set(INVERSE.values()) == {
        RelationKind.REPLACES,
        RelationKind.CARRIES,
        RelationKind.COMPLEMENTS,
        RelationKind.ANNULS,
    }


def test_the_same_code_on_a_manifest_replaces_nothing() -> None:
    detail = "<evEncMDFe><descEvento>Encerramento</descEvento><dtEnc>2026-08-09</dtEnc></evEncMDFe>"
    event = one(made.event_proc(MANIFEST, code="110112", tag="MDFe", detail=detail).replace(made.CTE, made.NFE))
    assert (event.model, event.references, event.registered) == ("58", (), True)
    added = f"<evIncDFeMDFe><infDoc><chNFe>{NOTE}</chNFe></infDoc></evIncDFeMDFe>"
    event = one(made.event_proc(MANIFEST, code="110115", tag="MDFe", detail=added))
    assert event.references == (Reference(RelationKind.REFERENCES, NOTE),)
    name = name_of("110112", MANIFEST)
    assert name is not None
    assert name.id == "journey closed"


def test_its_own_key_is_no_reference_and_a_broken_one_is_told() -> None:
    detail = f"<chNFe>{NOTE}</chNFe><chNFeRef>123</chNFeRef><chassi>9BWZZZ</chassi>"
    event = one(made.event_proc(NOTE, code="110112", detail=detail))
    assert event.references == (Reference(RelationKind.REPLACED_BY, "123"),)
    assert told(event) == [(Trait.REFERENCE_MALFORMED, "123")]


def test_an_unknown_code_keeps_all_it_says() -> None:
    detail = f"<descEvento>Novo</descEvento><gNovo nItem='1'><vNovo>1.00</vNovo><chNova>{SUBSTITUTE}</chNova></gNovo>"
    event = one(made.event_proc(NOTE, code="119999", detail=detail))
    assert event.fields == (
        ("descEvento", "Novo"),
        ("gNovo/@nItem", "1"),
        ("gNovo/vNovo", "1.00"),
        ("gNovo/chNova", SUBSTITUTE),
    )
    assert event.references == (Reference(RelationKind.REFERENCES, SUBSTITUTE),)
    assert name_of("119999", NOTE) is None


def test_the_cancellation_of_an_event_names_that_event() -> None:
    detail = f"{AUTHOR}<tpEventoAut>211120</tpEventoAut><nProtEvento>135260000000003</nProtEvento>"
    event = one(made.event_proc(NOTE, code="110001", detail=detail))
    assert (event.code, event.registered) == ("110001", True)
    assert ("tpEventoAut", "211120") in event.fields
    assert ("nProtEvento", "135260000000003") in event.fields


# -- whether it counts, and which one it is --------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "cstat", "registered"),
    [
        *(("NFe", cstat, True) for cstat in ("135", "136", "155")),
        *(("NFe", cstat, False) for cstat in ("134", "573", "128")),
        *(("CTe", cstat, True) for cstat in ("134", "135", "136")),
        *(("CTe", cstat, False) for cstat in ("155", "631")),
    ],
)
def test_whether_it_was_registered(tag: str, cstat: str, registered: bool) -> None:
    key = NOTE if tag == "NFe" else FREIGHT
    assert one(made.event_proc(key, cstat=cstat, tag=tag)).registered is registered


@pytest.mark.parametrize("digits", [1, 2, 3])
def test_the_sequence_has_one_to_three_digits(digits: int) -> None:
    text = made.event_proc(FREIGHT, tag="CTe")
    text = text.replace(f'{FREIGHT}01"', f'{FREIGHT}{7:0{digits}}"')
    text = text.replace("<nSeqEvento>1<", f"<nSeqEvento>{7:0{digits}}<", 1)
    assert one(text).sequence == 7
    without = text.replace(f"<nSeqEvento>{7:0{digits}}<", "<nSeqEvento><").replace("<nSeqEvento>1<", "<nSeqEvento><")
    assert one(without).sequence == (7 if digits > 1 else None)  # the Id has two digits or three


def test_one_event_of_a_lot_written_001_and_answered_1() -> None:
    requests = "".join(made.event(FREIGHT, tag="CTe", name="eventoCTe", sequence=number) for number in (1, 2))
    requests = requests.replace("<nSeqEvento>", "<nSeqEvento>00")
    answers = "".join(
        made.event_answer(FREIGHT, tag="CTe", name="retEventoCTe", sequence=number, cstat=cstat)
        for number, cstat in ((2, "631"), (1, "135"))
    )
    events = read(f"<lote>{requests}{answers}</lote>".encode()).events
    assert [(event.sequence, event.cstat) for event in events] == [(1, "135"), (2, "631")]


# -- whole files -----------------------------------------------------------------------------------------

FILES = tuple(sample for sample in (*packaged(), *written()) if b"infEvento" in sample.data)


@pytest.mark.parametrize("sample", FILES, ids=label)
def test_every_leaf_of_the_events_of_the_samples(sample: Sample) -> None:
    data = sample.data.strip()
    events = read(data, whole=True).events
    details = list(etree.fromstring(data).iter("{*}detEvento"))
    assert events
    held = [[text for _, text in event.fields] for event in events if event.fields]
    written = [[*detail.attrib.values(), *(text for _, text in leaf_texts(detail))] for detail in details]
    assert sorted(map(sorted, held)) == sorted(map(sorted, written))


def test_there_are_events_among_the_samples() -> None:
    assert len(FILES) >= 22
