"""Fiscal papers as they stand in exported files, read with lxml and Decimal alone: nothing of the program is used.

Amounts are whole centavos. A paper counts once, however many packages it is in.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

from lxml import etree

AUTHORIZED = ("100", "150")
CANCELS = ("110111", "110112")
# What an authority answers to an event that it registered, by whether it is about a note or a freight.
REGISTERED = {True: ("135", "136", "155", "101", "151"), False: ("134", "135", "136", "101", "151")}
TAKERS = {"0": "rem", "1": "exped", "2": "receb", "3": "dest"}


class Kind(Enum):
    """What a document is, by the element that holds it."""

    NOTE = "infNFe"
    FREIGHT = "infCte"
    SERVICE = "infNFSe"
    VOIDING = "infInut"  # the authority's answer: a range of numbers that no note has


@dataclass(frozen=True, eq=False)
class Written:
    """A document; `body` is the element that its `kind` names, without namespaces."""

    key: str
    kind: Kind
    body: Any
    cstat: str

    @property
    def is_note(self) -> bool:
        return self.kind is Kind.NOTE

    def text(self, path: str) -> str:
        return (self.body.findtext(path) or "").strip()

    @property
    def model(self) -> str:
        return self.text("ide/mod")

    @property
    def month(self) -> str:
        """Of issue, as the document writes it; of a voiding, of its answer."""
        places = ("ide/dhEmi", "ide/dEmi", "DPS/infDPS/dhEmi", "dhRecbto")
        return next((text for place in places if (text := self.text(place))), "")[:7]

    @property
    def emitter(self) -> str:
        return tax_id(self.body if self.kind is Kind.VOIDING else self.body.find("emit"))

    @property
    def recipient(self) -> str:
        return tax_id(self.body.find("DPS/infDPS/toma" if self.kind is Kind.SERVICE else "dest"))

    @property
    def owners(self) -> frozenset[str]:
        """Whose document it is: emitter, recipient, and who takes a freight."""
        taker = ""
        if self.kind is Kind.FREIGHT:
            role = TAKERS.get(self.text("ide/toma3/toma") or self.text("ide/toma03/toma"), "")
            taker = tax_id(self.body.find(role)) if role else tax_id(self.body.find("ide/toma4"))
        return frozenset((self.emitter, self.recipient, taker)) - {""}

    @property
    def total(self) -> int:
        """What it is about: vNF of a note, vTPrest of a freight, vServ of a service."""
        return cents(self.text(_TOTALS[self.kind])) if self.kind in _TOTALS else 0

    def direction(self, company: str) -> str:
        """`out` for what the company issued, its notes of entry apart; `in` for everything else."""
        return "out" if self.emitter == company and self.text("ide/tpNF") != "0" else "in"


_TOTALS = {
    Kind.NOTE: "total/ICMSTot/vNF",
    Kind.FREIGHT: "vPrest/vTPrest",
    Kind.SERVICE: "DPS/infDPS/valores/vServPrest/vServ",
}


@dataclass
class Papers:
    """Everything in some files: documents by key, events by key, code and number."""

    documents: dict[str, Written] = field(default_factory=dict)
    events: dict[tuple[str, str, int], bool] = field(default_factory=dict)  # whether it was registered
    _gone: frozenset[str] | None = None

    def in_effect(self, document: Written) -> bool:
        """Authorized, and neither cancelled, replaced nor annulled by something that is authorized itself."""
        if self._gone is None:
            self._gone = frozenset(self._without_effect())
        return document.cstat in AUTHORIZED and document.key not in self._gone

    def is_cancelled(self, key: str) -> bool:
        return any(self.events.get((key, code, number)) for code in CANCELS for number in range(1, 100))

    def of(self, company: str, month: str) -> list[Written]:
        """The company's documents of the month, those without effect too."""
        return [paper for paper in self.documents.values() if paper.month == month and company in paper.owners]

    def _without_effect(self) -> Iterator[str]:
        for paper in self.documents.values():
            if self.is_cancelled(paper.key):
                yield paper.key
            elif paper.cstat in AUTHORIZED and paper.kind is Kind.FREIGHT:
                kind = paper.text("ide/tpCTe")
                yield from (paper.text(path) for path in ("infCTeNorm/infCteSub/chCte",) if kind == "3")
                yield from (paper.text(path) for path in ("infCteAnu/chCte",) if kind == "2")


def packages(folder: Path) -> Papers:
    """What the ZIP packages below `folder` hold."""
    return read(data for path in sorted(folder.rglob("*.zip")) for data in members(path))


def members(path: Path) -> Iterator[bytes]:
    with zipfile.ZipFile(path) as package:
        for name in package.namelist():
            if name.lower().endswith(".xml"):
                yield package.read(name)


def read(files: Iterable[bytes]) -> Papers:
    """The papers in these files; the first file that has a key counts."""
    found = Papers()
    for data in dict.fromkeys(files):
        root = plain(etree.fromstring(data))
        answers = {name: element for element in root.iter("infProt") if (name := _key(element))}
        for body in root.iter("infNFe", "infCte", "infNFSe"):
            key = body.get("Id", "")[3:]
            if not key:  # a freight names the notes that it carries in elements of this name
                continue
            answer = body if body.tag == "infNFSe" else answers.get(key)
            cstat = "" if answer is None else (answer.findtext("cStat") or "")
            found.documents.setdefault(key, Written(key, Kind(body.tag), body, cstat))
        for answer in root.iter("retEvento", "retEventoCTe"):
            _add_event(found, answer.find("infEvento"))
        for answer in root.iter("retInutNFe"):
            body = answer.find("infInut")
            name = "/".join(body.findtext(tag) or "" for tag in ("CNPJ", "mod", "serie", "nNFIni", "nNFFin", "ano"))
            found.documents.setdefault(name, Written(name, Kind.VOIDING, body, ""))
    return found


def _add_event(found: Papers, answer: Any) -> None:
    key, code = _key(answer), answer.findtext("tpEvento") or ""
    number = int(answer.findtext("nSeqEvento") or 1)
    registered = answer.findtext("cStat") in REGISTERED[key[20:22] in ("55", "65")]
    found.events[key, code, number] = found.events.get((key, code, number), False) or registered


def _key(element: Any) -> str:
    return element.findtext("chNFe") or element.findtext("chCTe") or ""


def plain(root: Any) -> Any:
    """The same element with every tag without its namespace."""
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = etree.QName(element).localname
    return root


def tax_id(party: Any) -> str:
    if party is None:
        return ""
    return next((party.findtext(tag) for tag in ("CNPJ", "CPF", "idEstrangeiro") if party.findtext(tag)), "")


def cents(text: str | None) -> int:
    """Centavos of an amount as it is written, `12.34`; 0 where nothing is."""
    amount = Decimal((text or "").strip() or "0") * 100
    assert amount == amount.to_integral_value(), text
    return int(amount)
