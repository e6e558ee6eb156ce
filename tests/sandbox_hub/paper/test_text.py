"""Text on paper: escapes, what the layouts forbid, codes and times that make no sense."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sandbox_hub.paper.document_factory import Authority, event_xml, note_xml
from sandbox_hub.paper.text import code, moment, text
from tests.sandbox_hub.paper.cases import CANCELLATION, SALE, SHIRT

TSTRING = re.compile("[!-ÿ][ -ÿ]*[!-ÿ]|[!-ÿ]")


@given(st.text(max_size=90), st.integers(1, 60))
def test_any_text_becomes_legal_and_survives_a_parser(value: str, limit: int) -> None:
    written = text(value, limit)
    read = etree.fromstring(f"<a>{written}</a>").text or ""
    assert len(read) <= limit
    assert read == "" or TSTRING.fullmatch(read)
    canonical = etree.tostring(etree.fromstring(f"<a>{written}</a>"), method="c14n").decode()
    assert canonical == f"<a>{written}</a>"


@given(st.from_regex(r"[!-~¡-ÿ]( ?[!-~¡-ÿ]){0,20}", fullmatch=True))
def test_legal_text_is_kept_to_the_letter(value: str) -> None:
    assert etree.fromstring(f"<a>{text(value, 99)}</a>").text == value


def test_text_of_the_facts_reaches_the_paper(authority: Authority) -> None:
    root = etree.fromstring(note_xml(SALE, authority))
    read = {name: root.findtext(f".//{{*}}{name}") for name in ("xProd", "cProd", "infCpl", "xCpl", "idCadIntTran")}
    assert read == {
        "xProd": SHIRT.description,
        "cProd": "CAM-01&A",
        "infCpl": 'Pedido 1000123 <mercado> & "marketplace" segunda linha ? travessão',
        "xCpl": "Galpão 3 <fundos> & doca",
        "idCadIntTran": "LOJA & CIA",
    }
    assert root.findtext(".//{*}obsCont/{*}xTexto") == "SALE-sale-1000123-0001"
    assert [node.text for node in root.iter("{*}xPed")] == ["1000123"] * 3
    event = etree.fromstring(event_xml(CANCELLATION, authority))
    assert event.findtext(".//{*}xJust") == CANCELLATION.text


def test_a_code_cannot_smuggle_markup(authority: Authority) -> None:
    for facts in (
        replace(SALE, protocol="1</nProt><x/>"),
        replace(SALE, references=('3"',)),
        replace(SALE, items=(replace(SHIRT, ncm="<!--"),)),
        replace(SALE, emitter=replace(SALE.emitter, tax_id="<a/>4567890123")),
    ):
        with pytest.raises(ValueError, match="letters and digits"):
            note_xml(facts, authority)
    with pytest.raises(ValueError, match="letters and digits"):
        code("Ç1")


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no zone"):
        moment(datetime(2026, 1, 1))
