"""The XML of every kind of occurrence in a world: signed, valid, in agreement with the hub's record."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

import nfelib
import pytest
import xmlsec
from lxml import etree

from sandbox_hub.paper.document_factory import Authority
from sandbox_hub.world.documents.cte_facts import freight_cents
from sandbox_hub.world.documents.document_xml import print_xml
from sandbox_hub.world.documents.nfe_facts import first_cfop, protocol, sale_total_cents
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.world import Occurrence, World

SCHEMAS = Path(nfelib.__file__).parent
DSIG = "{http://www.w3.org/2000/09/xmldsig#}"
WORLD = World(21, 1_200)
AUTHORITY = Authority(21)
ANOTHER_TIME = (World(21, 1_200), Authority(21))


@cache
def schema(path: str) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(str(SCHEMAS / path)))


def schema_of(subtype: Subtype, model: str, code: str) -> str:
    if code and model == "57":
        return "cte/schemas/v4_0/procEventoCTe_v4.00.xsd"
    if code:
        return "nfe_evento_generico/schemas/v1_0/procEventoNFe_v1.00.xsd"
    return {
        Subtype.FREIGHT: "cte/schemas/v4_0/procCTe_v4.00.xsd",
        Subtype.VOIDING: "nfe/schemas/v4_0/procInutNFe_v4.00.xsd",
    }.get(subtype, "nfe/schemas/v4_0/procNFe_v4.00.xsd")


def kinds() -> dict[str, tuple[int, Occurrence]]:
    """One of every subtype, company and event, and of both years (the reform's groups begin in 2026)."""
    found: dict[str, tuple[int, Occurrence]] = {}
    for index in WORLD.all_documents():
        place = WORLD.place(index)
        year = WORLD.numbering.issued_at(index).year
        for occurrence in WORLD.occurrences(index):
            code = occurrence.happening.code if occurrence.happening else ""
            name = f"{place.subtype}-{code}-company{place.company}-{year}"
            found.setdefault(name, (index, occurrence))
    return found


KINDS = kinds()


def test_there_are_all_kinds() -> None:
    assert {name.rsplit("-", 2)[0] for name in KINDS} >= {
        *(f"{subtype}-" for subtype in Subtype if subtype is not Subtype.ADJUSTMENT),
        *("sale-110111", "sale-110110", "sale-210200", "freight-610110", "freight-110111"),
    }


@pytest.mark.parametrize("name", KINDS)
def test_paper(name: str) -> None:
    index, occurrence = KINDS[name]
    place = WORLD.place(index)
    data = print_xml(WORLD, index, occurrence, AUTHORITY)
    assert data == print_xml(ANOTHER_TIME[0], index, occurrence, ANOTHER_TIME[1])
    root = etree.fromstring(data)
    code = occurrence.happening.code if occurrence.happening else ""
    checked = schema(schema_of(place.subtype, place.line.model, code))
    checked.validate(root)
    # The events' schemas have not caught up with letters in a CNPJ; nothing else may be wrong.
    lettered = WORLD.cast.companies[1].tax_id
    for error in checked.error_log:
        assert code
        assert error.type_name == "SCHEMAV_CVC_PATTERN_VALID"
        assert lettered in error.message
    verify(data)
    # The last one is the authority's answer: a cancellation quotes the document's protocol before it.
    assert root.findall(".//{*}nProt")[-1].text == protocol(WORLD, index, occurrence.ordinal)
    if code:
        assert root.findtext(".//{*}infEvento/{*}tpEvento") == code
        assert WORLD.numbering.key(index) in (root.findtext(".//{*}chNFe"), root.findtext(".//{*}chCTe"))
    elif place.subtype is Subtype.VOIDING:
        assert root.findtext(".//{*}nNFIni") == str(WORLD.numbering.number(index))
        assert root.findtext(".//{*}nNFFin") == str(WORLD.numbering.number(index) + 1)
    else:
        check_document(root, index)


def check_document(root: etree._Element, index: int) -> None:
    place = WORLD.place(index)
    key = WORLD.numbering.key(index)
    assert key in (root.findtext(".//{*}infProt/{*}chNFe"), root.findtext(".//{*}infProt/{*}chCTe"))
    assert root.findtext(".//{*}CFOP") == first_cfop(WORLD, index)
    related = [WORLD.numbering.key(other) for other in WORLD.related(index)]
    if place.subtype is Subtype.FREIGHT:
        assert [node.text for node in root.findall(".//{*}infNFe/{*}chave")] == related
        assert cents(root.findtext(".//{*}vTPrest")) == freight_cents(WORLD, index)
    else:
        assert [node.text for node in root.findall(".//{*}refNFe")] == related
    if place.subtype is Subtype.SALE:
        assert cents(root.findtext(".//{*}vNF")) == sale_total_cents(WORLD, index)


def cents(text: str | None) -> int:
    assert text is not None
    return int(text.replace(".", ""))


def verify(data: bytes) -> None:
    """Raises where xmlsec does not accept the signature."""
    root = etree.fromstring(data)
    xmlsec.tree.add_ids(root, ["Id"])
    (signature,) = root.iter(f"{DSIG}Signature")
    (encoded,) = root.iter(f"{DSIG}X509Certificate")
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(base64.b64decode(encoded.text or ""), xmlsec.KeyFormat.CERT_DER)
    context.verify(signature)
