"""Forms of file that no collection of samples has: each is read to the last line, and told by its trait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from confere.errors import PaperError, PaperHostile
from confere.fiscal import taxpayers
from confere.fiscal.detail import NoteDetail
from confere.fiscal.model import Document, DocumentType
from confere.fiscal.reading.document import read
from confere.fiscal.warnings import INFORMATION, Trait
from tests.fiscal import made

PLAIN = made.nfe_proc()
BARE = PLAIN.removeprefix(made.DECLARATION)
LATIN = PLAIN.replace("UTF-8", "ISO-8859-1")
WIDE = PLAIN.replace("UTF-8", "UTF-16")


def warnings(document: Document) -> list[tuple[str, str]]:
    return [(warning.code, warning.detail) for warning in document.warnings]


def detail(document: Document) -> NoteDetail:
    assert isinstance(document.detail, NoteDetail)
    return document.detail


def one(data: bytes) -> Document:
    """The only document, which says the same whether it is read for its rows or whole."""
    for_rows, whole = read(data), read(data, whole=True)
    assert len(for_rows.documents) == 1
    assert for_rows.warnings == whole.warnings
    assert for_rows.documents[0] == replace(whole.documents[0], detail=None)
    return whole.documents[0]


# -- the same note in other forms ------------------------------------------------------------------------


def prefixed(text: str, namespace: str, prefix: str, root: str) -> str:
    """`text` with `prefix` on every element of the part that begins at `root`."""
    start = text.index(f"<{root}")
    end = text.index(f"</{root}>") + len(f"</{root}>")
    part = text[start:end].replace(f' xmlns="{namespace}"', "")
    part = part.replace("</", "\0").replace("<", f"<{prefix}:").replace("\0", f"</{prefix}:")
    part = part.replace(f"<{prefix}:{root}", f'<{prefix}:{root} xmlns:{prefix}="{namespace}"', 1)
    return text[:start] + part + text[end:]


def prefixed_note() -> bytes:
    """Everything with a prefix but the signature, which keeps its own namespace without one."""
    text = prefixed(PLAIN, made.NFE, "nfe", "nfeProc")
    start, end = text.index("<nfe:Signature"), text.index("</nfe:Signature>")
    return (text[:start] + text[start:end].replace("nfe:", "") + text[end:].replace("nfe:", "", 1)).encode()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (PLAIN.encode(), []),
        (BARE.encode(), [(Trait.NO_DECLARATION, "")]),
        (PLAIN.encode("utf-8-sig"), [(Trait.BOM, "")]),
        (BARE.encode("utf-8-sig"), [(Trait.BOM, ""), (Trait.NO_DECLARATION, "")]),
        (LATIN.encode("latin-1"), [(Trait.ENCODING, "ISO-8859-1")]),
        (WIDE.encode("utf-16-le"), [(Trait.ENCODING, "UTF-16")]),
        (WIDE.encode("utf-16-be"), [(Trait.ENCODING, "UTF-16")]),
        (b"\xff\xfe" + WIDE.encode("utf-16-le"), [(Trait.BOM, ""), (Trait.ENCODING, "UTF-16")]),
        (b"\xfe\xff" + WIDE.encode("utf-16-be"), [(Trait.BOM, ""), (Trait.ENCODING, "UTF-16")]),
        (
            PLAIN.replace("Papelaria São João Ltda", "<![CDATA[Papelaria São João Ltda]]>").encode(),
            [(Trait.CDATA, "")],
        ),
        (
            PLAIN.replace("São João", "S&#227;o Jo&#xE3;o").replace("Conceição", "Concei&#231;&#227;o").encode(),
            [(Trait.CHARACTER_REFERENCES, "")],
        ),
        (prefixed(PLAIN, made.NFE, "nfe", "NFe").encode(), [(Trait.PREFIXED, "nfe:")]),
        (prefixed_note(), [(Trait.PREFIXED, "nfe:")]),
        (prefixed(PLAIN, made.DSIG, "ds", "Signature").encode(), [(Trait.PREFIXED_SIGNATURE, "ds:")]),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_another_form_of_the_same_note(data: bytes, expected: list[tuple[str, str]]) -> None:
    document = one(data)
    assert warnings(document) == expected
    plain = read(PLAIN.encode(), whole=True).documents[0]
    assert replace(document, warnings=()) == plain
    assert all(code in INFORMATION for code, _ in expected)


def test_a_prefixed_event_and_voiding_say_so_too() -> None:
    event = prefixed(made.DECLARATION + made.event_proc(made.access_key()), made.NFE, "e", "procEventoNFe")
    happened = read(event.encode()).events[0]
    assert [(warning.code, warning.detail) for warning in happened.warnings] == [(Trait.PREFIXED, "e:")]
    asked = (
        f'{made.DECLARATION}<v:inutNFe xmlns:v="{made.NFE}"><v:infInut><v:nNFIni>1</v:nNFIni></v:infInut></v:inutNFe>'
    )
    assert [warning.code for warning in read(asked.encode()).voidings[0].warnings] == [Trait.PREFIXED]


@pytest.mark.parametrize("layout", ["1.10", "2.00", "3.10"])
def test_an_earlier_layout_is_told_and_read(layout: str) -> None:
    document = one((made.DECLARATION + made.note(layout=layout)).encode())
    assert (Trait.OLD_LAYOUT, layout) in warnings(document)
    assert [item.item.code for item in detail(document).items] == ["SKU-1"]
    today = one((made.DECLARATION + made.note(layout="4.00")).encode())
    assert Trait.OLD_LAYOUT not in dict(warnings(today))


# -- what only looks like a note -------------------------------------------------------------------------


LAUGHS = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "entities", [LAUGHS, '<!ENTITY l11 SYSTEM "file:///etc/passwd">', '<!ENTITY l11 SYSTEM "http://127.0.0.1:9/x">']
)
@pytest.mark.parametrize("whole", [False, True])
def test_a_note_with_entities_is_refused(entities: str, whole: bool) -> None:
    text = BARE.replace("Papelaria", "&l11;")
    for start in (made.DECLARATION, ""):
        with pytest.raises(PaperHostile, match="DTD"):
            read(f"{start}<!DOCTYPE nfeProc [{entities}]>{text}".encode(), whole=whole)


@pytest.mark.parametrize("whole", [False, True])
def test_a_page_saved_as_a_note_is_called_a_page(whole: bool) -> None:
    for page in ("<!DOCTYPE html><html><body>Sessão expirada</body></html>", "<html><head></head></html>"):
        with pytest.raises(PaperError, match="web page") as caught:
            read(page.encode(), whole=whole)
        assert caught.value.remedy is not None


@pytest.mark.parametrize("cut", ["<NCM>", "</infNFe>", "</NFe>", "</nfeProc>"])
def test_a_note_cut_short_is_told_so(cut: str) -> None:
    with pytest.raises(PaperError, match="cut short"):
        read(PLAIN[: PLAIN.index(cut) + 3].encode(), whole=True)


# -- many ------------------------------------------------------------------------------------------------


def enviado(notes: str) -> str:
    return f'<enviNFe xmlns="{made.NFE}" versao="4.00"><idLote>1</idLote>{notes}</enviNFe>'


def procs(notes: str) -> str:
    return f"<lote>{notes}</lote>"


@pytest.mark.parametrize("envelope", [enviado, procs, made.soap])
def test_each_note_of_a_lot_is_a_document_of_its_own(envelope: Callable[[str], str]) -> None:
    keys = [made.access_key(number=number) for number in range(1, 51)]
    notes = "".join(
        made.note(key, number=str(number), items=[made.item(1, total=f"{number}.00")], total=f"{number}.00")
        for number, key in enumerate(keys, 1)
    )
    paper = read((made.DECLARATION + envelope(notes)).encode(), whole=True)
    assert [document.access_key for document in paper.documents] == keys
    for number, document in enumerate(paper.documents, 1):
        assert (Trait.LOT, "50") in warnings(document)
        assert detail(document).items[0].item.total_cents == document.totals.document == number * 100
    for_rows = read((made.DECLARATION + envelope(notes)).encode())
    assert for_rows.documents == tuple(replace(document, detail=None) for document in paper.documents)


def test_one_note_in_an_envelope_is_no_lot() -> None:
    assert Trait.LOT not in dict(warnings(one((made.DECLARATION + enviado(made.note())).encode())))


def test_a_note_of_990_items_to_the_last_one() -> None:
    items = [made.item(number, after=f"<infAdProd>Lote {number}</infAdProd>") for number in range(1, 991)]
    document = one(made.nfe_proc(made.note(items=items, total="9900.00"), made.protocol(made.access_key())).encode())
    assert warnings(document) == []
    full = detail(document).items
    assert [item.item for item in full] == list(document.items)
    assert [item.words for item in full] == [f"Lote {number}" for number in range(1, 991)]
    assert {tax.amount_cents for item in full for tax in item.taxes} == {180}


# -- letters in a CNPJ -----------------------------------------------------------------------------------


def test_letters_in_key_and_parties_with_digits_that_hold() -> None:
    key = made.access_key(emitter=made.LETTERED)
    transport = (
        f"<transp><modFrete>0</modFrete><transporta><CNPJ>{made.LETTERED}</CNPJ><xNome>T</xNome></transporta></transp>"
    )
    note = made.note(key, emitter=made.LETTERED, recipient=f"<CNPJ>{made.LETTERED}</CNPJ>", sections=transport)
    document = one(made.nfe_proc(note, made.protocol(key)).encode())
    assert document.type is DocumentType.NFE
    assert document.access_key == key
    assert warnings(document) == []
    assert taxpayers.is_cnpj(made.LETTERED)
    assert [party.tax_id for party in document.parties] == [made.LETTERED] * 3
    full = detail(document)
    assert full.transport is not None
    assert full.transport.carrier is not None
    assert {party.party.tax_id for party in (*full.parties, full.transport.carrier)} == {made.LETTERED}
    broken = key[:-1] + str((int(key[-1]) + 1) % 10)
    told = one(made.nfe_proc(note.replace(key, broken), made.protocol(broken)).encode())
    assert (Trait.BAD_CHECK_DIGIT, broken) in warnings(told)
