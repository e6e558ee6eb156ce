"""One paper taken out of a file: alone, whole, and in the form that programs which print look for."""

from __future__ import annotations

from pathlib import Path

import nfelib
import pytest
from lxml import etree

from confere.errors import PaperError
from confere.fiscal.reading import extract
from confere.fiscal.reading.document import read
from tests.fiscal import made

PACKAGED = sorted(path for path in Path(nfelib.__file__).parent.rglob("samples/**/*") if path.suffix.lower() == ".xml")
KEYS = [made.access_key(number=number) for number in range(1, 5)]


@pytest.mark.parametrize("path", PACKAGED, ids=lambda path: path.stem[-40:])
def test_what_is_taken_out_reads_as_what_was_in(path: Path) -> None:
    data = path.read_bytes()
    paper = read(data)
    for place, document in enumerate(paper.documents):
        (alone,) = read(extract.document(data, place).data).documents
        for name in ("type", "access_key", "number", "series", "parties", "items", "totals", "protocol", "references"):
            assert getattr(alone, name) == getattr(document, name)
    for place, event in enumerate(paper.events):
        try:
            taken = extract.event(data, place)
        except PaperError:
            continue  # the authority's answer alone
        (found,) = read(taken.data).events
        assert (found.access_key, found.code, found.text) == (event.access_key, event.code, event.text)


def test_the_nth_of_a_lot_in_soap_has_its_own_protocol() -> None:
    procs = "".join(f"<nfeProc>{made.note(key)}{made.protocol(key, number=key[-15:])}</nfeProc>" for key in KEYS)
    data = made.soap(procs).encode()
    for place, key in enumerate(KEYS):
        taken = extract.document(data, place)
        assert taken.name == "NFe"
        root = etree.fromstring(taken.data)
        assert root.tag == f"{{{made.NFE}}}nfeProc"
        assert [child.tag.rpartition("}")[2] for child in root] == ["NFe", "protNFe"]
        (document,) = read(taken.data).documents
        assert document.access_key == key
        assert document.protocol is not None
        assert document.protocol.number == key[-15:]


def test_every_text_passes_through_the_letters_asked_for() -> None:
    data = made.nfe_proc().encode()
    taken = extract.document(data, 0, str.upper)
    assert "PAPELARIA SÃO JOÃO LTDA" in taken.data.decode()


def test_days_of_old_layouts_stand_under_todays_names_too() -> None:
    data = made.nfe_proc(made.note(dates="<dEmi>2010-04-15</dEmi>", layout="2.00")).encode()
    (ide,) = etree.fromstring(extract.document(data, 0).data).iter("{*}ide")
    assert [ide.findtext(f"{{*}}{tag}") for tag in ("dEmi", "dhEmi")] == ["2010-04-15", "2010-04-15"]


@pytest.mark.parametrize("place", [-1, 1, 7])
def test_what_is_not_there_is_not_taken(place: int) -> None:
    data = made.nfe_proc().encode()
    with pytest.raises(PaperError):
        extract.document(data, place)
    with pytest.raises(PaperError):
        extract.event(data, place)
