"""Bytes of any kind are taken apart within bounds, and never raise."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.intake.documents import unwrapping
from confere.intake.documents.file_identity import choose
from confere.intake.documents.unwrapping import Inside, inside
from tests.archive.papers import cancellation, key, note

XML = note(1)


def zipped(*members: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, member in enumerate(members):
            archive.writestr(f"{number}.xml", member)
    return target.getvalue()


def test_xml_is_itself() -> None:
    for data in (XML, b"\xef\xbb\xbf\n" + XML, XML.decode().encode("utf-16"), XML.decode().encode("utf-16-be")):
        assert list(inside(data)) == [Inside(data, ())]


REACHLESS = {
    "nothing": b"",
    "text": b"nothing of the kind",
    "too short": b"QUJD",
    "gzip of text": gzip.compress(b"plain text"),
    "gzip cut short": gzip.compress(XML)[:-9],
    "zip cut short": zipped(XML)[:-9],
    "json of words": b'{"xml": null, "error": "Arquivo nao encontrado no armazenamento"}',
    "json cut short": b'{"xml": "',
    "deep json": b"[" * 100_000,
    "too many layers": gzip.compress(gzip.compress(gzip.compress(gzip.compress(XML)))),
}


@pytest.mark.parametrize("data", REACHLESS.values(), ids=REACHLESS)
def test_nothing_within_reach(data: bytes) -> None:
    assert list(inside(data)) == []
    assert choose(data, "x", key(1)).data == data


def test_a_base64_of_the_web_and_a_data_address() -> None:
    written = base64.urlsafe_b64encode(XML).rstrip(b"=")
    assert list(inside(written)) == [Inside(XML, ("base64",))]
    assert list(inside(b"data:text/xml;base64," + written)) == [Inside(XML, ("base64",))]


def test_a_bomb_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unwrapping, "MOST_BYTES", 100_000)
    white = b"<a>" + b" " * 1_000_000 + b"</a>"
    bombs = (
        gzip.compress(white),
        zipped(white),
        zipped(*[b"<a>" + b" " * 60_000 + b"</a>"] * 3),
        json.dumps({"xml": base64.b64encode(gzip.compress(white)).decode()}).encode(),
    )
    for bomb in bombs:
        assert sum(len(found.data) for found in inside(bomb)) <= 100_000


def test_of_many_files_the_one_that_was_asked_for() -> None:
    box = zipped(note(3), cancellation(2), note(1))
    assert choose(box, "x", key(1)).data == note(1)
    assert choose(box, "x", key(2)).data == cancellation(2)
    assert choose(box, "x", None).data == note(3)
    other = choose(box, "x", key(9))
    assert (other.data, other.layers, other.mismatch is None) == (note(3), ("zip",), False)


def test_a_voided_range_is_held_against_the_company() -> None:
    def voiding(emitter: str) -> bytes:
        return (
            '<procInutNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><inutNFe versao="4.00"><infInut>'
            f"<tpAmb>1</tpAmb><cUF>35</cUF><ano>26</ano><CNPJ>{emitter}</CNPJ><mod>55</mod><serie>1</serie>"
            "<nNFIni>1</nNFIni><nNFFin>2</nNFFin><xJust>x</xJust></infInut></inutNFe></procInutNFe>"
        ).encode()

    assert choose(voiding("11222333000181"), "x", key(1)).mismatch is None
    assert choose(voiding("11444777000161"), "x", key(1)).mismatch is not None
    assert choose(voiding("11444777000161"), "x", None).mismatch is None


def test_xml_of_an_unknown_kind_is_taken_where_it_names_the_document() -> None:
    assert choose(f"<outro><chave>{key(1)}</chave></outro>".encode(), "x", key(1)).mismatch is None
    assert choose(b"<Error><Code>AccessDenied</Code></Error>", "x", key(1)).mismatch is not None


@given(
    st.binary(max_size=200),
    st.lists(
        st.sampled_from(
            [gzip.compress, base64.b64encode, zipped, lambda data: json.dumps(data.decode("latin-1")).encode()]
        ),
        max_size=4,
    ),
)
def test_any_bytes_are_looked_into_without_raising(data: bytes, layers: list) -> None:  # type: ignore[type-arg]
    for layer in layers:
        data = layer(data)
    for found in inside(data):
        assert len(found.layers) <= unwrapping.MOST_LAYERS
    choose(data, "x", key(1))
