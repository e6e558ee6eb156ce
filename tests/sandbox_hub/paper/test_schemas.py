"""Every kind of paper against the official schemas that nfelib ships, lag of some behind letters told apart."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nfelib
import pytest
from lxml import etree

from tests.sandbox_hub.paper.cases import EVENTS, FREIGHTS, LETTERED_EVENTS, NOTES

SCHEMAS = Path(nfelib.__file__).parent
NFE = "{http://www.portalfiscal.inf.br/nfe}"
CTE = "{http://www.portalfiscal.inf.br/cte}"
CTE_SCHEMAS = "cte/schemas/v4_0"

# The schema of each NF-e event, beside the generic one; 110112 has none in the package.
NOTE_EVENT_SCHEMAS = {
    "110110": "nfe_evento_cce/schemas/v1_0/procCCeNFe_v1.00.xsd",
    "110111": "nfe_evento_cancel/schemas/v1_0/procEventoCancNFe_v1.00.xsd",
}
NOTE_DETAIL_SCHEMAS = {
    code: f"nfe_evento_mde/schemas/v1_0/e{code}_v1.00.xsd" for code in ("210200", "210210", "210220", "210240")
}
FREIGHT_EVENT_SCHEMAS = {
    "110110": f"{CTE_SCHEMAS}/evCCeCTe_v4.00.xsd",
    "110111": f"{CTE_SCHEMAS}/evCancCTe_v4.00.xsd",
    "610110": f"{CTE_SCHEMAS}/evPrestDesacordo_v4.00.xsd",
    "610111": f"{CTE_SCHEMAS}/evCancPrestDesacordo_v4.00.xsd",
}
# Where nfelib's schemas (1.00 of the NF-e's events, 4.00 of voiding) still ask for digits only.
LETTER_FIELDS = ("infEvento', attribute 'Id'", "infInut', attribute 'Id'", "CNPJ'", "chNFe'")


@cache
def schema(path: str) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(str(SCHEMAS / path)))


def complaints(path: str, node: etree._Element) -> list[tuple[str, str]]:
    """The schema's errors as (kind, message). The node is parsed anew, so that it stands alone."""
    checked = schema(path)
    checked.validate(etree.fromstring(etree.tostring(node)))
    return [(error.type_name, error.message) for error in checked.error_log]


@pytest.mark.parametrize("name", NOTES)
def test_note_is_valid(papers: dict[str, bytes], name: str) -> None:
    root = etree.fromstring(papers[f"note: {name}"])
    assert root.tag == f"{NFE}nfeProc"
    assert complaints("nfe/schemas/v4_0/procNFe_v4.00.xsd", root) == []


@pytest.mark.parametrize("name", FREIGHTS)
def test_freight_is_valid(papers: dict[str, bytes], name: str) -> None:
    root = etree.fromstring(papers[f"freight: {name}"])
    assert complaints(f"{CTE_SCHEMAS}/procCTe_v4.00.xsd", root) == []
    # The layout leaves the mode of transport open; it has a schema of its own.
    for road in root.iter(f"{CTE}rodo"):
        assert complaints(f"{CTE_SCHEMAS}/cteModalRodoviario_v4.00.xsd", road) == []
    assert (root.find(f".//{CTE}rodo") is None) == (name == "complement")


@pytest.mark.parametrize("name", [name for name, facts in EVENTS.items() if facts.model == "55"])
def test_note_event_is_valid(papers: dict[str, bytes], name: str) -> None:
    root = etree.fromstring(papers[f"event: {name}"])
    code = EVENTS[name].code
    assert complaints("nfe_evento_generico/schemas/v1_0/procEventoNFe_v1.00.xsd", root) == []
    if code in NOTE_EVENT_SCHEMAS:
        assert complaints(NOTE_EVENT_SCHEMAS[code], root) == []
    elif code in NOTE_DETAIL_SCHEMAS:
        detail = root.find(f".//{NFE}detEvento")
        assert detail is not None
        assert complaints(NOTE_DETAIL_SCHEMAS[code], detail) == []
    else:
        assert code == "110112"


FREIGHT_EVENTS = {
    **{f"event: {name}": facts for name, facts in EVENTS.items() if facts.model == "57"},
    **{f"lettered event: {name}": facts for name, facts in LETTERED_EVENTS.items() if facts.model == "57"},
}


@pytest.mark.parametrize("name", FREIGHT_EVENTS)
def test_freight_event_is_valid_letters_included(papers: dict[str, bytes], name: str) -> None:
    root = etree.fromstring(papers[name])
    assert complaints(f"{CTE_SCHEMAS}/procEventoCTe_v4.00.xsd", root) == []
    detail = root.find(f".//{CTE}detEvento")
    assert detail is not None
    assert complaints(FREIGHT_EVENT_SCHEMAS[FREIGHT_EVENTS[name].code], detail[0]) == []


def test_voiding_is_valid(papers: dict[str, bytes]) -> None:
    root = etree.fromstring(papers["voiding"])
    assert complaints("nfe/schemas/v4_0/procInutNFe_v4.00.xsd", root) == []


@pytest.mark.parametrize(
    ("name", "path"),
    [("voiding by a CNPJ with letters", "nfe/schemas/v4_0/procInutNFe_v4.00.xsd")]
    + [
        (f"lettered event: {name}", "nfe_evento_generico/schemas/v1_0/procEventoNFe_v1.00.xsd")
        for name, facts in LETTERED_EVENTS.items()
        if facts.model == "55"
    ],
)
def test_schema_that_lags_complains_of_letters_only(papers: dict[str, bytes], name: str, path: str) -> None:
    """The one thing wrong is that a pattern of digits meets the letters that July 2026 allows."""
    errors = complaints(path, etree.fromstring(papers[name]))
    assert errors, "the schema has caught up: move this kind to the valid ones"
    for kind, sentence in errors:
        assert kind == "SCHEMAV_CVC_PATTERN_VALID"
        assert any(field in sentence for field in LETTER_FIELDS)
        assert "12ABC34501DE35" in sentence
