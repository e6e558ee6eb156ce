"""One paper of a file as a file of its own, in the form that programs which print papers expect."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from lxml import etree
from lxml.etree import _Element

from confere.errors import PaperError, message
from confere.fiscal import document_models
from confere.fiscal.reading import envelopes, xml
from confere.fiscal.reading.elements import LOCAL, child, namespace
from confere.fiscal.reading.envelopes import EnvelopePart
from confere.fiscal.reading.events.events import body_of, read_event
from confere.fiscal.reading.events.nfse_events import SEALED_EVENTS, is_sealed

_FISCAL: Final = "http://www.portalfiscal.inf.br/"
_SIGNATURES: Final = "http://www.w3.org/2000/09/xmldsig#"
# Element of the author: root of the file, last part of the namespace.
_FORMS: Final = {
    "NFe": ("nfeProc", "nfe"),
    "CTe": ("cteProc", "cte"),
    "CTeSimp": ("cteSimpProc", "cte"),
    "CTeOS": ("cteOSProc", "cte"),
    "MDFe": ("mdfeProc", "mdfe"),
    "NFCom": ("nfcomProc", "nfcom"),
    "NF3e": ("nf3eProc", "nf3e"),
    "BPe": ("bpeProc", "bpe"),
    "BPeTM": ("bpeTMProc", "bpe"),
    "BPeTA": ("bpeTAProc", "bpe"),
    "GTVe": ("GTVeProc", "cte"),
    "DCe": ("procDCe", "dce"),
    "evento": ("procEventoNFe", "nfe"),
    "eventoCTe": ("procEventoCTe", "cte"),
    "eventoMDFe": ("procEventoMDFe", "mdfe"),
    "eventoNFCom": ("procEventoNFCom", "nfcom"),
    "eventoNF3e": ("procEventoNF3e", "nf3e"),
    "eventoBPe": ("procEventoBPe", "bpe"),
    "eventoDCe": ("procEventoDCe", "dce"),
}
# Nothing stands around these, and they keep the namespace that they have, or none.
_ALONE: Final = frozenset({"NFSe", "CFe", *SEALED_EVENTS})
# Layouts before 3.10 had days where later ones have moments; who prints today looks for those alone.
_DAYS: Final = {"dEmi": "dhEmi", "dSaiEnt": "dhSaiEnt"}

Letters = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Extract:
    """`name` is what the author wrote (NFe, CTeOS, evento …); `data` it and its answer, in UTF-8.

    Nothing else of the file is in it: no envelope, no other paper, no foreign or missing namespace. It is made to be
    printed; what a signature covers is in the file itself.
    """

    name: str
    data: bytes


def document(data: bytes, position: int, letters: Letters | None = None) -> Extract:
    """The document that `read(data).documents[position]` tells of, every text of it passed through `letters`.

    Raises PaperError where there is none, and what reading raises.
    """
    root, _ = xml.open_paper(data)
    found = [part for part in envelopes.find(root).documents if _has_body(part)]
    return _of(found, position, letters)


def event(data: bytes, position: int, letters: Letters | None = None) -> Extract:
    """The event that `read(data).events[position]` tells of, as `document`; one without its request is no file."""
    root, _ = xml.open_paper(data)
    found = [part for part in envelopes.find(root).events if read_event(part.element, part.answer) is not None]
    return _of(found, position, letters)


def _has_body(part: EnvelopePart) -> bool:
    """As the readers see it: they read no document without one."""
    return part.element is not None and child(part.element, document_models.BODIES[LOCAL[part.element.tag]]) is not None


def _of(found: list[EnvelopePart], position: int, letters: Letters | None) -> Extract:
    part = found[position] if 0 <= position < len(found) else None
    name = "" if part is None or part.element is None else LOCAL[part.element.tag]
    if part is not None and part.element is not None and (name in _ALONE or is_sealed(body_of(part.element))):
        return _alone(part.element, name, letters)
    if part is None or part.element is None or name not in _FORMS:
        raise PaperError(message("There is no such paper in this file."), message("Look at its XML."))
    proc, family = _FORMS[name]
    space = f"{_FISCAL}{family}"
    whole = etree.Element(f"{{{space}}}{proc}", nsmap={None: space})  # type: ignore[dict-item]
    whole.set("versao", part.element.get("versao") or _version_of(part.element))
    for element in (part.element, part.answer):
        if element is not None:
            own = copy.deepcopy(element)
            own.tail = None
            whole.append(own)
    _settle(whole.iter(etree.Element), space, letters)
    if name == "NFe":
        _modernise(whole)
    return Extract(name, etree.tostring(whole, encoding="UTF-8", xml_declaration=True))


def _alone(element: _Element, name: str, letters: Letters | None) -> Extract:
    own = copy.deepcopy(element)
    own.tail = None
    _settle(own.iter(etree.Element), None, letters)
    return Extract(name, etree.tostring(own, encoding="UTF-8", xml_declaration=True))


def _version_of(element: _Element) -> str:
    return next((body.get("versao") or "" for body in element if body.get("versao")), "")


def _settle(elements: Iterable[_Element], space: str | None, letters: Letters | None) -> None:
    for element in elements:
        if space is not None and namespace(element) not in (space, _SIGNATURES):
            element.tag = f"{{{space}}}{LOCAL[element.tag]}"
        if letters is not None and element.text and not element.text.isascii():
            element.text = letters(element.text)


def _modernise(whole: _Element) -> None:
    ide = next(iter(whole.iter("{*}ide")), None)
    if ide is None:
        return
    for old, new in _DAYS.items():
        day = child(ide, old)
        if day is not None and child(ide, new) is None:
            moment = etree.SubElement(ide, f"{{{namespace(ide)}}}{new}")
            moment.text = day.text
