"""Finding the papers inside a file, whatever stands around them: a proc, a lot, a SOAP envelope, a distribution."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lxml.etree import _Element

from confere.errors import PaperError
from confere.fiscal import keys, reading_events, reading_voidings, xml
from confere.fiscal.elements import LOCAL
from confere.fiscal.model import Document, Event, Protocol, Voiding, Warning
from confere.fiscal.reading_common import protocol
from confere.fiscal.reading_cte import read_cte
from confere.fiscal.reading_events import read_event
from confere.fiscal.reading_mdfe import read_mdfe
from confere.fiscal.reading_nfe import read_nfe
from confere.fiscal.reading_voidings import read_voiding
from confere.fiscal.traits import Trait

MOST_LEVELS: Final = 8
"""Envelopes around a paper that are looked into; SOAP with a lot of procs needs five."""

_READERS: Final = {
    "NFe": read_nfe,
    "CTe": read_cte,
    "CTeSimp": read_cte,
    "CTeOS": read_cte,
    "MDFe": read_mdfe,
}
_PART_OF: Final = {
    **dict.fromkeys(_READERS, "document"),
    **dict.fromkeys(("protNFe", "protCTe", "protMDFe"), "protocol"),
    **dict.fromkeys(("evento", "eventoCTe", "eventoMDFe", "cancNFe", "cancCTe"), "event"),
    **dict.fromkeys(("retEvento", "retEventoCTe", "retEventoMDFe", "retCancNFe", "retCancCTe"), "event_answer"),
    **dict.fromkeys(("inutNFe", "inutCTe"), "voiding"),
    **dict.fromkeys(("retInutNFe", "retInutCTe"), "voiding_answer"),
    "docZip": "packed",
}
# Roots that are the usual form of a file; any other around a paper is told as "wrapped".
_PROC_ROOT: Final = re.compile(
    r"(nfe|cte|cteOS|cteSimp|mdfe)Proc|proc(Evento|Canc|Inut)(NFe|CTe|MDFe)|ProcInut(NFe|CTe)"
)
_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]*\?>")
_GZIP: Final = 16 + zlib.MAX_WBITS
_MOST_UNPACKED: Final = 100_000_000


@dataclass(slots=True)
class Found:
    """The papers found so far in one file. `traits` are the file's own, carried by each of its papers."""

    traits: tuple[Warning, ...] = ()
    documents: list[Document] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    voidings: list[Voiding] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)
    unpacked: int = 0  # bytes taken out of `docZip` parts


def is_usual_root(name: str) -> bool:
    """Whether a file with the root `name` is a paper as it is normally kept, in no envelope."""
    return _PART_OF.get(name, "packed") != "packed" or _PROC_ROOT.fullmatch(name) is not None


def gather(elements: Iterable[_Element], found: Found, *, levels: int = MOST_LEVELS, embedded: bool = False) -> None:
    """Read every paper among `elements` and, down to `levels` of envelopes, inside them, into `found`.

    What stands side by side belongs together: a document with its protocol and its events (`embedded`), an
    event with its answer.
    """
    parts: dict[str, list[_Element]] = {}
    for element in elements:
        kind = _PART_OF.get(LOCAL[element.tag], "envelope")
        if kind in parts:
            parts[kind].append(element)
        else:
            parts[kind] = [element]
    embedded = embedded or "document" in parts
    events_before = len(found.events)
    if levels > 0:
        for element in parts.get("envelope", ()):
            _open(element, found, levels - 1, embedded)
        for element in parts.get("packed", ()):
            _unpack(element, found, levels - 1)
    if "event" in parts or "event_answer" in parts:
        _read_events(parts, embedded, found)
    if "voiding" in parts or "voiding_answer" in parts:
        _read_voidings(parts, found)
    if "document" in parts or "protocol" in parts:
        has_events = len(found.events) > events_before
        _read_documents(parts.get("document", []), parts.get("protocol", []), has_events, found)


def _read_events(parts: dict[str, list[_Element]], embedded: bool, found: Found) -> None:
    for request, answer in _pairs(parts, "event", reading_events.identity):
        event = read_event(request, answer, embedded=embedded, traits=found.traits)
        if event is not None:
            found.events.append(event)


def _read_voidings(parts: dict[str, list[_Element]], found: Found) -> None:
    for request, answer in _pairs(parts, "voiding", reading_voidings.identity):
        voiding = read_voiding(request, answer, traits=found.traits)
        if voiding is not None:
            found.voidings.append(voiding)


def _read_documents(documents: list[_Element], answers: list[_Element], has_events: bool, found: Found) -> None:
    protocols = [answer for element in answers if (answer := protocol(element)) is not None]
    for element, answer in _with_protocols(documents, protocols):
        reader = _READERS[LOCAL[element.tag]]
        document = reader(element, answer, embedded=has_events, traits=found.traits)
        if document is not None:
            found.documents.append(document)
    # What `_with_protocols` left over answers for a document that is not in this file.
    found.warnings += [Warning(Trait.PROTOCOL_ALONE, answer.access_key or "") for answer in protocols]


def _with_protocols(documents: list[_Element], protocols: list[Protocol]) -> Iterator[tuple[_Element, Protocol | None]]:
    """Each document with its protocol, taken out of `protocols`.

    One of each belong together even where their keys differ (the reader says so); in a lot the key decides.
    """
    if len(documents) == len(protocols) == 1:
        yield documents[0], protocols.pop()
        return
    by_key = {answer.access_key: answer for answer in protocols}
    for element in documents:
        identifiers = (part.get("Id") for part in element if isinstance(part.tag, str))
        answer = by_key.pop(keys.find(next(filter(None, identifiers), "")), None)
        if answer is not None:
            protocols.remove(answer)
        yield element, answer


def _pairs(
    parts: dict[str, list[_Element]], kind: str, identity: Callable[[_Element], Hashable]
) -> Iterator[tuple[_Element | None, _Element | None]]:
    """Requests of `kind` with their answers; each may stand alone."""
    requests = parts.get(kind, [])
    answers = parts.get(f"{kind}_answer", [])
    if len(requests) <= 1 and len(answers) <= 1:
        if requests or answers:
            yield (requests[0] if requests else None), (answers[0] if answers else None)
        return
    waiting: dict[Hashable, list[_Element]] = {}
    for answer in answers:
        waiting.setdefault(identity(answer), []).append(answer)
    for request in requests:
        fitting = waiting.get(identity(request))
        yield request, (fitting.pop(0) if fitting else None)
    for left in waiting.values():
        for answer in left:
            yield None, answer


def _open(element: _Element, found: Found, levels: int, embedded: bool) -> None:
    """Look inside an envelope: at its children, or at a document written out as its text (SOAP with CDATA)."""
    if len(element):
        gather(element, found, levels=levels, embedded=embedded)
    elif isinstance(element.tag, str) and (element.text or "").lstrip()[:1] == "<":
        # The declaration names the encoding of a file that no longer exists: this text is already decoded.
        inner = _DECLARATION.sub("", element.text or "").encode("utf-8", "replace")
        _read_inside(inner, found, levels, LOCAL[element.tag])


def _unpack(element: _Element, found: Found, levels: int) -> None:
    """Read a `docZip` of a distribution: GZip in base64, unpacked within one budget for the whole file."""
    name = element.get("NSU") or element.get("schema") or LOCAL[element.tag]
    unpacker = zlib.decompressobj(_GZIP)
    try:
        packed = base64.b64decode(element.text or "")
        inner = unpacker.decompress(packed, max(_MOST_UNPACKED - found.unpacked, 1))
    except (binascii.Error, zlib.error, ValueError) as error:
        found.warnings.append(Warning(Trait.UNREADABLE_PART, f"{name}: {error}"))
        return
    found.unpacked += len(inner)
    if not unpacker.eof:
        reason = "too large" if found.unpacked >= _MOST_UNPACKED else "cut short"
        found.warnings.append(Warning(Trait.UNREADABLE_PART, f"{name}: {reason}"))
        return
    _read_inside(inner, found, levels, name)


def _read_inside(data: bytes, found: Found, levels: int, name: str) -> None:
    try:
        root = xml.parse(data)
    except PaperError as error:
        found.warnings.append(Warning(Trait.UNREADABLE_PART, f"{name}: {error.what}"))
        return
    gather([root], found, levels=levels)
