"""A fiscal XML with every value replaced and its structure as it was; signatures no longer hold, as nothing does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from confere.errors import PaperError
from confere.fiscal import access_keys
from confere.fiscal.anonymization.text import TextAnonymiser
from confere.fiscal.reading.xml import parse

# Codes of the layouts, which say what a paper is and nothing of whose it is.
_CODES: Final = """
tpAmb mod tpNF idDest tpImp tpEmis finNFe indFinal indPres indIntermed procEmi CFOP CST CSOSN orig modBC modBCST
modFrete cUF cUFIni cUFFim UF UFIni UFFim cStat tpEvento verEvento descEvento xEvento nSeqEvento CRT indIEDest cPais
xPais NCM uCom uTrib indTot tPag indPag tpIntegra tpCTe tpServ modal toma indGlobalizado indIEToma retira cOrgao tpAutor
cUFAutor indSinc versao
"""
_KEPT: Final = frozenset(_CODES.split())
_KEPT_ATTRIBUTES: Final = frozenset({"versao", "versaoModal", "Algorithm", "nItem", "schemaLocation"})
_SIGNED: Final = frozenset({"DigestValue", "SignatureValue", "X509Certificate", "digVal", "Modulus", "Exponent"})
_LETTER: Final = re.compile(r"[A-Za-z0-9+/]")
_KEY: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:NFe|CTe|MDFe|ID[0-9]{6})?([0-9]{6}[A-Z0-9]{12}[0-9]{26})(?:[0-9]{2,3})?(?![0-9A-Za-z])"
)


def is_xml(data: bytes) -> bool:
    """Whether the bytes are one XML that this program reads."""
    try:
        parse(data)
    except PaperError:
        return False
    return True


def texts_of(data: bytes) -> Iterator[str]:
    """Every text and attribute value of an XML; see `is_xml`."""
    for element in parse(data).iter():
        yield element.text or ""
        yield element.tail or ""
        if isinstance(element.tag, str):
            yield from (str(value) for value in element.attrib.values())


def keys_in(text: str) -> Iterator[str]:
    """The access keys that stand in a text."""
    return (found[1] for found in _KEY.finditer(text) if access_keys.has_shape(found[1]))


def anonymised(data: bytes, using: TextAnonymiser) -> bytes:
    """The XML with its values replaced, in UTF-8. Raises `PaperError` for what is none."""
    root = parse(data)
    for element in root.iter():
        name = etree.QName(element).localname if isinstance(element.tag, str) else ""
        if element.text and element.text.strip() and name not in _KEPT:
            element.text = _LETTER.sub("A", element.text) if name in _SIGNED else using.leaf(element.text)
        if element.tail and element.tail.strip():
            element.tail = using.leaf(element.tail)
        if not name:
            continue
        for attribute, value in element.attrib.items():
            if etree.QName(attribute).localname not in _KEPT_ATTRIBUTES:
                element.set(attribute, using.leaf(str(value)))
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)
