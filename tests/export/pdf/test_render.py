"""Renderings: every paper that is read has a PDF, drawn by the library or by ourselves, and it says what it is."""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path

import nfelib
import pytest

from confere.errors import PaperError, message
from confere.export.pdf import danfe_library, plain_document, sheet
from confere.export.pdf.pdf_request import By, DrawnKind, Rendered
from confere.export.pdf.render import render
from confere.fiscal.model import Document, State
from confere.fiscal.reading.document import read
from confere.system.messages import set_language
from tests.breadth import some_of
from tests.export.pdf.looked_at import bare, pages, words
from tests.fiscal import made
from tests.samples.folder import written

PACKAGED = sorted(
    path for kind in ("nfe", "cte", "mdfe") for path in (Path(nfelib.__file__).parent / kind).rglob("samples/**/*.xml")
)

KEY = made.access_key()
TRANSPORT = "<transp><modFrete>9</modFrete></transp>"


def note(*items: str, environment: str = "1", additional: str = "", **parts: str) -> bytes:
    body = made.note(
        items=items or (made.item(),), environment=environment, sections=TRANSPORT, additional=additional, **parts
    )
    return made.nfe_proc(body, made.protocol(KEY)).encode()


def first(data: bytes) -> Document:
    return read(data, whole=True).documents[0]


@pytest.mark.parametrize("path", some_of(PACKAGED, 12), ids=lambda path: path.stem[-40:])
def test_every_packaged_paper_has_a_pdf(path: Path) -> None:
    found = everything(path.read_bytes())
    assert bool(found) is read(path.read_bytes()).recognised
    for made_of_it in found:
        assert made_of_it.pdf.startswith(b"%PDF-")
        assert pages(made_of_it.pdf) == made_of_it.pages >= 1
    drawers = {"nfe": By.LIBRARY, "cteos": By.OWN}
    for document, drawn in zip(read(path.read_bytes()).documents, found, strict=False):
        assert drawn.by is drawers.get(document.type.value, drawn.by)


def test_the_packaged_papers_are_of_these_kinds() -> None:
    """So the test above sees who draws a note, and who a freight of another service."""
    found = Counter(document.type.value for path in PACKAGED for document in read(path.read_bytes()).documents)
    assert found["nfe"] >= 15
    assert found["cteos"] == 1


# Each takes a fifth of a second: one of each layout and modal, and of the files that hold several papers.
DRAWN = (
    *("note-1.10", "note-2.00", "note-3.10", "note-4.00-alone", "consumer-note", "note-utf-16", "lot-of-notes"),
    *("freight-2.00", "freight-modal-02", "freight-of-people-3.00", "manifest-modal-01", "voiding"),
    *("event-110110", "event-of-freight-610110", "event-of-manifest-110112", "answer-lot-received"),
)


def test_papers_of_every_layout_have_a_pdf() -> None:
    samples = {sample.name.removesuffix(".xml"): sample.data for sample in written()}
    counts = {}
    for name in DRAWN:
        drawn = everything(samples[name])
        assert all(paper.pages >= 1 for paper in drawn), name
        counts[name] = len(drawn)
    assert counts == dict.fromkeys(DRAWN, 1) | {"lot-of-notes": 3, "answer-lot-received": 0}


def everything(data: bytes) -> list[Rendered]:
    """Each document, then each event, then each voiding."""
    paper = read(data)
    counts = {
        DrawnKind.DOCUMENT: len(paper.documents),
        DrawnKind.EVENT: len(paper.events),
        DrawnKind.VOIDING: len(paper.voidings),
    }
    return [render(data, place, kind) for kind in counts for place in range(counts[kind])]


def test_a_note_is_a_danfe_with_its_parties_items_and_key() -> None:
    found = render(note(made.item(1), made.item(2)), 0)
    assert (found.by, found.why, found.pages) == (By.LIBRARY, None, 1)
    text = words(found.pdf)
    assert "DANFE" in text
    for said in ("Papelaria São João Ltda", "José da Conceição", "Caneta azul nº 2", "135260000000001"):
        assert said in text
    assert bare(KEY) in bare(text)


@pytest.mark.parametrize(
    ("state", "environment", "word"),
    [
        (State.AUTHORIZED, "1", ""),
        (State.CANCELLED, "1", "CANCELADA"),
        (State.CANCELLED_LATE, "1", "CANCELADA"),
        (State.DENIED, "1", "DENEGADA"),
        (State.AUTHORIZED, "2", "SEM VALOR FISCAL"),
        (State.CANCELLED, "2", "CANCELADA - SEM VALOR FISCAL"),
    ],
)
def test_a_paper_without_effect_says_so_on_every_page(state: State, environment: str, word: str) -> None:
    data = note(*(made.item(number) for number in range(1, 50)), environment=environment)
    for found in (render(data, 0, state=state), plain_document.document(first(data), state, message("x"))):
        text = bare(words(found.pdf))
        assert found.pages >= 2
        said = text.count(bare(word)) if word else sum(text.count(mark) for mark in ("CANCELAD", "VALORFISCAL"))
        assert said >= found.pages if word else said == 0


def test_without_a_state_the_protocol_decides() -> None:
    data = made.nfe_proc(made.note(sections=TRANSPORT)).encode()
    assert "SEM PROTOCOLO" in words(render(data, 0).pdf)


def test_the_same_paper_gives_the_same_bytes() -> None:
    data = note()
    assert render(data, 0).pdf == render(data, 0).pdf
    whole = first(data)
    assert plain_document.document(whole, None, None).pdf == plain_document.document(whole, None, None).pdf


def test_the_nth_note_of_a_lot_is_its_own_danfe() -> None:
    keys = [made.access_key(number=number) for number in (1, 2, 3)]
    procs = "".join(
        f"<nfeProc>{made.note(key, number=str(place))}{made.protocol(key)}</nfeProc>"
        for place, key in enumerate(keys, 1)
    )
    data = f'<lote xmlns="{made.NFE}">{procs}</lote>'.encode().replace(b"<det ", TRANSPORT.encode() + b"<det ")
    for place, key in enumerate(keys):
        text = bare(words(render(data, place).pdf))
        assert [other in text for other in keys] == [other == key for other in keys]


def test_what_the_library_fails_on_is_drawn_plainly_and_says_why() -> None:
    data = made.nfe_proc(made.note(), made.protocol(KEY)).encode()  # without a transport: it looks for its code
    found = render(data, 0)
    assert found.by is By.OWN
    assert "failed on this paper" in str(found.why)
    text = words(found.pdf)
    assert "Plain rendering by Confere" in text
    assert "Papelaria São João Ltda" in text


def test_a_note_of_990_items_is_drawn_whole() -> None:
    data = note(*(made.item(number) for number in range(1, 991)))
    found = plain_document.document(first(data), None, message("x"))
    text = words(found.pdf)
    assert all(f"Caneta azul nº {number}" in text for number in (1, 495, 990))
    assert text.count("Caneta azul") == 990
    assert f"{found.pages}/{found.pages}" in text


def test_the_library_lays_no_more_items_than_a_page_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    laid: list[int] = []
    from brazilfiscalreport.danfe.danfe_moc_7_0 import DanfeMoc70

    whole = DanfeMoc70._calculate_product_splits

    def counted(self: object, products: list[object], height_product_table: float) -> object:
        laid.append(len(products))
        return whole(self, products=products, height_product_table=height_product_table)

    monkeypatch.setattr(DanfeMoc70, "_calculate_product_splits", counted)
    monkeypatch.setattr(danfe_library, "_SECONDS", 600.0)  # a busy machine is no endless paper
    found = render(note(*(made.item(number) for number in range(1, 106))), 0)
    assert found.by is By.LIBRARY
    assert max(laid) == 100
    assert words(found.pdf).count("Caneta azul") == 105


def test_a_library_that_comes_to_no_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(danfe_library, "_SECONDS", -1.0)
    found = render(note(), 0)
    assert found.by is By.OWN
    assert "no end" in str(found.why)


def test_a_library_that_makes_page_after_page_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(danfe_library, "_MOST_PAGES", 1)
    found = render(note(*(made.item(number) for number in range(1, 60))), 0)
    assert found.by is By.OWN
    assert words(found.pdf).count("Caneta azul") == 59


def test_words_longer_than_a_page_are_not_cut() -> None:
    long = " ".join(f"palavra{number}" for number in range(400))
    data = note(made.item(1, after=f"<infAdProd>{long}</infAdProd>"))
    found = render(data, 0)
    assert found.by is By.OWN
    assert bare(long) in bare(words(found.pdf))


def test_a_paper_without_an_end_has_no_pdf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet, "_MOST_PAGES", 3)
    data = note(*(made.item(number) for number in range(1, 130)))
    with pytest.raises(PaperError, match="more than 3 pages"):
        plain_document.document(first(data), None, None)


def test_foreign_letters_are_told_and_never_raise() -> None:
    data = note(made.item(1)).replace(b"Caneta azul", "Caneta 茶 ≥ Łódź".encode())
    found = render(data, 0)
    assert found.by is By.LIBRARY
    assert "stand in it as ?" in str(found.why)
    assert "Caneta ? >= Lódz" in words(found.pdf)
    own = words(plain_document.document(first(data), None, None).pdf)
    assert "Caneta ? >= Lódz" in own
    assert "stand in it as ?" in own


def test_the_library_is_heard_of_nowhere() -> None:
    telephone = made.note(sections=TRANSPORT).replace("</enderEmit>", "<fone>abc</fone></enderEmit>")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert render(made.nfe_proc(telephone, made.protocol(KEY)).encode(), 0).by is By.LIBRARY


def test_a_layout_with_days_only_shows_its_day() -> None:
    data = note(dates="<dEmi>2010-04-15</dEmi>", layout="2.00")
    assert "15/04/2010" in words(render(data, 0).pdf)


def test_a_note_without_a_namespace_is_a_danfe_too() -> None:
    data = f"<nfeProc>{made.note(sections=TRANSPORT, namespace=None)}{made.protocol(KEY)}</nfeProc>".encode()
    assert render(data, 0).by is By.LIBRARY


@pytest.mark.parametrize("path", [path for path in PACKAGED if "leiauteNFe" in str(path)], ids=lambda path: path.stem)
def test_the_plain_rendering_of_a_note_says_every_word_of_it(path: Path) -> None:
    whole = first(path.read_bytes())
    text = bare(words(plain_document.document(whole, None, None).pdf))
    missing = [said for said in _said(whole) if bare(said) not in text]
    assert not missing


def _said(whole: Document) -> list[str]:
    """What a person wrote: names, addresses, descriptions, words, and every key."""
    from dataclasses import fields, is_dataclass

    found: list[str] = []

    def look(value: object) -> None:
        if isinstance(value, str):
            if any(letter.isalpha() for letter in value) and len(value) > 3 and ":" not in value:
                found.append(value)
        elif isinstance(value, tuple):
            if len(value) == 2 and isinstance(value[0], str):  # a field: its path is no word of the paper
                look(value[1])
            else:
                for entry in value:
                    look(entry)
        elif is_dataclass(value):
            for field in fields(value):
                if field.name not in ("name", "group", "role", "country"):
                    look(getattr(value, field.name))

    look(whole.detail)
    return found


def test_events_are_drawn_with_their_words() -> None:
    letter = "<descEvento>Carta de Correcao</descEvento><xCorrecao>Onde se lê A, leia-se Á</xCorrecao>"
    data = made.event_proc(KEY, code="110110", detail=letter).encode()
    found = render(data, 0, DrawnKind.EVENT, about=first(note()))
    assert (found.by, found.why) == (By.LIBRARY, None)
    assert "Onde se lê A, leia-se Á" in words(found.pdf)
    assert "Papelaria São João Ltda" in words(found.pdf)
    other = render(made.event_proc(KEY).encode(), 0, DrawnKind.EVENT, name=message("cancellation"))
    assert (other.by, other.why) == (By.OWN, None)
    for said in ("Cancellation (110111)", "Desistência do comprador", "135 Evento registrado", "135260000000002"):
        assert said in words(other.pdf)


def test_an_event_that_nobody_registered_says_so() -> None:
    assert "SEM REGISTRO" in words(render(made.event_proc(KEY, cstat="573").encode(), 0, DrawnKind.EVENT).pdf)


def test_a_correction_letter_of_a_freight_is_drawn_plainly_and_says_why() -> None:
    detail = "<evCCeCTe><descEvento>Carta de Correcao</descEvento></evCCeCTe>"
    data = made.event_proc(made.cte_key(), code="110110", tag="CTe", detail=detail).encode()
    found = render(data, 0, DrawnKind.EVENT)
    assert found.by is By.OWN
    assert "does not know this kind" in str(found.why)


def test_a_freight_of_every_kind_is_drawn() -> None:
    key = made.cte_key()
    carried = [made.access_key(number=number) for number in range(1, 40)]
    data = made.cte_proc(made.freight(key, documents=carried), made.protocol(key, tag="CTe")).encode()
    text = bare(words(plain_document.document(first(data), None, None).pdf))
    assert all(other in text for other in carried)
    simple = made.cte_proc(made.freight(root="CTeSimp", documents=carried), root="cteSimpProc").encode()
    assert render(simple, 0).by is By.OWN


def test_what_is_no_paper_has_no_pdf() -> None:
    with pytest.raises(PaperError, match="nothing in this file"):
        render(b"<a><b/></a>", 0)
    with pytest.raises(PaperError):
        render(b"nothing", 0)
    with pytest.raises(PaperError):
        render(note(), 1)


def test_the_plain_rendering_speaks_the_users_language() -> None:
    set_language("pt_BR")
    try:
        assert "Emitente" in words(plain_document.document(first(note()), None, None).pdf)
    finally:
        set_language("en")
