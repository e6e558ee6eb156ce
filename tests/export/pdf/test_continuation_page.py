"""DANFE, DACTE and DAMDFE show everything that they must: read from the PDF by another program, on the samples."""

from __future__ import annotations

import re

import pytest

from confere.errors import PaperError
from confere.export.pdf import font_characters
from confere.export.pdf.continuation_page import Needed, lacking, needed
from confere.export.pdf.danfe_library import draws
from confere.export.pdf.pdf_request import By
from confere.export.pdf.render import render
from confere.fiscal.model import Document, DocumentType
from confere.fiscal.reading.document import read
from tests.corpus.files import Sample
from tests.export.pdf.looked_at import bare, words
from tests.export.pdf.test_render import PACKAGED, first, note
from tests.fiscal import made
from tests.samples.folder import packaged, written

_LONG, _PIECE = 300, 40  # letters: a long text goes on over the page, between other words
_NOTES = (DocumentType.NFE, DocumentType.NFCE)


def unsaid(document: Document, pdf: bytes) -> list[Needed]:
    text = bare(words(pdf))
    found = []
    for entry in needed(document):
        wanted = bare(font_characters.latin(entry.text))
        if wanted in text:
            continue
        pieces = [wanted[at : at + _PIECE] for at in range(0, len(wanted), _PIECE)]
        if len(wanted) < _LONG or sum(piece not in text for piece in pieces) > 2:
            found.append(entry)
    return found


def every_sample() -> list[Sample]:
    """All freights and manifests, and of the notes, which are many alike, one in four."""
    found: list[Sample] = []
    notes = 0
    for sample in (*packaged(), *written()):
        try:
            kinds = {document.type for document in read(sample.data).documents}
        except PaperError:
            continue
        if kinds & set(_NOTES):
            notes += 1
            if notes % 4:
                continue
        if kinds:
            found.append(sample)
    return found


@pytest.mark.exhaustive
def test_everything_is_read_again_in_the_pdfs_of_the_samples() -> None:
    looked_at = 0
    for sample in every_sample():
        data = sample.data
        for position, document in enumerate(read(data, whole=True).documents):
            drawn = render(data, position)
            if drawn.by is By.LIBRARY:
                looked_at += 1
                assert unsaid(document, drawn.pdf) == [], sample.name
    assert looked_at >= 15


_SAMPLE = "43120178408960000182570010000000041000000047-cte.xml"
_NAME = "COMERCIAL DE PRODUTOS ALIMENTICIOS E BEBIDAS DO SUL LTDA ME."


def freight(layout: str) -> bytes:
    """A CT-e of a package, with a remark, a sender with the longest name there can be, to be printed across."""
    (path,) = [path for path in PACKAGED if path.name.endswith(_SAMPLE)]
    text = path.read_text(encoding="utf-8").replace('versao="3.00"', f'versao="{layout}"')
    text = re.sub(r"<xObs>[^<]*</xObs>", "<xObs>Entregar somente pela manhã &amp; com agendamento</xObs>", text)
    text = re.sub(r"<tpImp>.</tpImp>", "<tpImp>2</tpImp>", text).replace("<tpServ></tpServ>", "<tpServ>0</tpServ>")
    assert len(_NAME) == 60
    return re.sub(r"(<rem>.*?<xNome>)[^<]*", rf"\1{_NAME}", text, count=1, flags=re.DOTALL).encode()


def test_a_freight_has_its_remark_and_its_names_whole() -> None:
    data = freight("4.00")
    drawn = render(data, 0)
    text = words(drawn.pdf)
    assert (drawn.by, drawn.pages) == (By.LIBRARY, 1)
    assert "DACTE" in text
    assert "Entregar somente pela manhã & com agendamento" in " ".join(text.split())
    assert _NAME in " ".join(text.split())
    assert unsaid(first(data), drawn.pdf) == []


def test_a_freight_of_an_older_layout_is_not_called_dacte() -> None:
    drawn = render(freight("3.00"), 0)
    assert drawn.by is By.OWN
    assert "Plain rendering by Confere" in words(drawn.pdf)
    assert not draws("cte", "3.00") and draws("cte", "4.00") and draws("nfe", "2.00") and not draws("cteos", "4.00")


def test_what_the_form_has_no_room_for_goes_on_a_page_of_its_own() -> None:
    wanted = [Needed("OBSERVAÇÕES", "uma frase que não está"), Needed("NÚMERO", "12")]
    assert lacking(wanted, "nº 12, e mais") == (wanted[0],)
    assert lacking(wanted, "UMA frase que não está: 12") == (wanted[0],)  # letters are compared as they stand
    long = " ".join(f"palavra{number}" for number in range(900))
    data = note(made.item(), additional=f"<infAdic><infCpl>{long}</infCpl></infAdic>")
    drawn = render(data, 0)
    assert drawn.by is By.LIBRARY
    assert unsaid(first(data), drawn.pdf) == []
