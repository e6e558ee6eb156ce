"""Finding the papers inside a file, whatever stands around them: a proc, a lot, a SOAP envelope, a distribution.

What reads papers and what judges them both begin here, so that the nth document of one is the nth of the other.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from lxml.etree import _Element

from confere.errors import PaperError
from confere.fiscal import access_keys, document_models
from confere.fiscal.document_parts import Protocol, Warning
from confere.fiscal.reading import voidings, xml
from confere.fiscal.reading.common import protocol
from confere.fiscal.reading.elements import LOCAL, texts
from confere.fiscal.reading.events import events
from confere.fiscal.reading.events.nfse_events import SEALED_EVENTS
from confere.fiscal.warnings import CUT_SHORT, DAMAGED, TOO_LARGE, Trait

MOST_LEVELS: Final = 12
"""Envelopes around a paper that are looked into; the SOAP answer of a distribution has eight."""

# As their tags end: of the models whose events and answers are called by their own names.
_MODELS: Final = ("CTe", "MDFe", "NFCom", "NF3e", "BPe", "DCe")
_PART_OF: Final = {
    **dict.fromkeys(document_models.ELEMENTS, "document"),
    **dict.fromkeys(("protNFe", *(f"prot{name}" for name in _MODELS)), "protocol"),
    **dict.fromkeys(("evento", *(f"evento{name}" for name in _MODELS), "cancNFe", "cancCTe"), "event"),
    **dict.fromkeys(SEALED_EVENTS, "event"),
    **dict.fromkeys(
        ("retEvento", *(f"retEvento{name}" for name in _MODELS), "retCancNFe", "retCancCTe"), "event_answer"
    ),
    **dict.fromkeys(("inutNFe", "inutCTe"), "voiding"),
    **dict.fromkeys(("retInutNFe", "retInutCTe"), "voiding_answer"),
    **dict.fromkeys(("resNFe", "resEvento", "resCanc", "resCCe"), "summary"),
    "docZip": "packed",
}
# Roots that are the usual form of a file; any other around a paper is told as "wrapped".
_PROC_ROOT: Final = re.compile(
    r"(nfe|cte|cteOS|cteSimp|mdfe|nfcom|nf3e|bpe|bpeTM|bpeTA|dce|GTVe)Proc|procDCe"
    r"|proc(Evento|Canc|Inut)(NFe|CTe|MDFe|NFCom|NF3e|BPe|DCe)|ProcInut(NFe|CTe)"
)
_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]*\?>")
_GZIP: Final = 16 + zlib.MAX_WBITS
_MOST_UNPACKED: Final = xml.DEFAULT_LIMIT
_MOST_INNER_MARKS: Final = xml.MOST_MARKS
"""Of all the papers written out inside others, whose trees are held at once."""
_MOST_AROUND: Final = 100
"""Namespaces in scope of an envelope, and attributes of it: every paper inside looks at all of them."""
_MOST_TOLD: Final = 100  # warnings of one kind about one file


@dataclass(frozen=True, slots=True)
class EnvelopePart:
    """One paper as found: what its author wrote (`element`) and what the authority answered; one may be absent.

    `embedded`: of a document, that events stand beside it; of an event, that it stands beside a document.
    """

    element: _Element | None
    answer: _Element | None
    embedded: bool = False


@dataclass(slots=True)
class Found:
    """The papers found in one file, in the order in which they are read, and what is odd about finding them."""

    documents: list[EnvelopePart] = field(default_factory=list)
    events: list[EnvelopePart] = field(default_factory=list)
    voidings: list[EnvelopePart] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)
    protocols: list[_Element] = field(default_factory=list)  # without a document beside them
    answers: list[Protocol] = field(default_factory=list)  # what those say that no document of the file is for
    unpacked: int = 0  # bytes taken out of `docZip` parts
    inner_marks: int = 0  # "<" and "=" of papers that were written out as text or packed

    _told: dict[Trait, int] = field(default_factory=dict)

    def tell(self, trait: Trait, detail: str) -> None:
        """Warn of `trait`; of very many alike only the first are told, and that there are more."""
        count = self._told[trait] = self._told.get(trait, 0) + 1
        if count <= _MOST_TOLD:
            self.warnings.append(Warning(trait, detail if count < _MOST_TOLD else "…"))


def find(root: _Element) -> Found:
    """Every paper in the file whose root element is `root`."""
    found = Found()
    _gather([root], found, MOST_LEVELS, embedded=False)
    if found.protocols:
        _settle_documents(found)
    if len(found.events) > 1:
        found.events = _settled(found.events, events.identity)
    if len(found.voidings) > 1:
        found.voidings = _settled(found.voidings, voidings.identity)
    return found


def is_usual_root(name: str) -> bool:
    """Whether a file with the root `name` is a paper as it is normally kept, in no envelope."""
    return _PART_OF.get(name, "packed") != "packed" or _PROC_ROOT.fullmatch(name) is not None


def _gather(elements: Iterable[_Element], found: Found, levels: int, *, embedded: bool) -> None:
    """Add every paper among `elements` and, down to `levels` of envelopes, inside them, to `found`.

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
    for element in parts.get("summary", ()):
        get = texts(element).get
        named = filter(None, (get("chNFe"), get("tpEvento")))
        found.tell(Trait.SUMMARY_ONLY, " ".join(named) or LOCAL[element.tag])
    if "event" in parts or "event_answer" in parts:
        found.events += [EnvelopePart(*pair, embedded) for pair in _pairs(parts, "event", events.identity)]
    if "voiding" in parts or "voiding_answer" in parts:
        found.voidings += [EnvelopePart(*pair) for pair in _pairs(parts, "voiding", voidings.identity)]
    if "document" in parts or "protocol" in parts:
        has_events = len(found.events) > events_before
        _add_documents(parts.get("document", []), parts.get("protocol", []), has_events, found)


def _add_documents(documents: list[_Element], answers: list[_Element], has_events: bool, found: Found) -> None:
    """Each document with its protocol.

    One of each belong together even where their keys differ (the reader says so); in a lot the key decides.
    """
    if len(documents) == len(answers) == 1:
        found.documents.append(EnvelopePart(documents[0], answers[0], has_events))
        return
    waiting = {_answered_key(answer): answer for answer in answers}
    for element in documents:
        key = _own_key(element)
        found.documents.append(EnvelopePart(element, waiting.pop(key, None) if key is not None else None, has_events))
    taken = {id(part.answer) for part in found.documents[len(found.documents) - len(documents) :]}
    found.protocols += [answer for answer in answers if id(answer) not in taken]


def _settle_documents(found: Found) -> None:
    """Give protocols that stood elsewhere, as in the answer to a lot, to their documents; tell what is left over."""
    said = {id(answer): told for answer in found.protocols if (told := protocol(answer)) is not None}
    waiting = {said[id(answer)].access_key: answer for answer in found.protocols if id(answer) in said}
    for place, part in enumerate(found.documents):
        key = _own_key(part.element) if part.answer is None and part.element is not None else None
        answer = waiting.pop(key, None) if key is not None else None
        if answer is not None:
            found.documents[place] = replace(part, answer=answer)
            del said[id(answer)]
    found.answers = list(said.values())
    for told in found.answers:
        found.tell(Trait.PROTOCOL_ALONE, told.access_key or "")


def _settled(parts: list[EnvelopePart], identity: Callable[[_Element], Hashable]) -> list[EnvelopePart]:
    """`parts` with answers that stood elsewhere, as in the answer to a lot, given to their requests."""
    if not any(part.element is None for part in parts) or not any(part.answer is None for part in parts):
        return parts
    waiting: dict[Hashable, deque[EnvelopePart]] = {}
    for part in parts:
        if part.element is None and part.answer is not None:
            waiting.setdefault(identity(part.answer), deque()).append(part)
    given: set[int] = set()
    settled: list[EnvelopePart] = []
    for part in parts:
        fitting = waiting.get(identity(part.element)) if part.element is not None and part.answer is None else None
        if fitting:
            other = fitting.popleft()
            given.add(id(other))
            settled.append(EnvelopePart(part.element, other.answer, part.embedded or other.embedded))
        else:
            settled.append(part)
    return [part for part in settled if id(part) not in given]


def _own_key(document: _Element) -> str | None:
    identifiers = (part.get("Id") for part in document if isinstance(part.tag, str))
    return access_keys.find(next(filter(None, identifiers), ""))


def _answered_key(answer: _Element) -> str | None:
    said = protocol(answer)
    return said.access_key if said is not None else None


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
    waiting: dict[Hashable, deque[_Element]] = {}
    for answer in answers:
        waiting.setdefault(identity(answer), deque()).append(answer)
    for request in requests:
        fitting = waiting.get(identity(request))
        yield request, (fitting.popleft() if fitting else None)
    for left in waiting.values():
        for answer in left:
            yield None, answer


def _open(element: _Element, found: Found, levels: int, embedded: bool) -> None:
    """Look inside an envelope: at its children, or at a document written out as its text (SOAP with CDATA)."""
    if len(element):
        if len(element.attrib) > _MOST_AROUND or len(element.nsmap) > _MOST_AROUND:
            found.tell(Trait.UNREADABLE_PART, f"{LOCAL[element.tag]}: {TOO_LARGE}")
            return
        _gather(element, found, levels, embedded=embedded)
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
    except (binascii.Error, zlib.error, ValueError):
        found.tell(Trait.UNREADABLE_PART, f"{name}: {DAMAGED}")
        return
    found.unpacked += len(inner)
    if not unpacker.eof:
        reason = TOO_LARGE if found.unpacked >= _MOST_UNPACKED else CUT_SHORT
        found.tell(Trait.UNREADABLE_PART, f"{name}: {reason}")
        return
    _read_inside(inner, found, levels, name)


def _read_inside(data: bytes, found: Found, levels: int, name: str) -> None:
    found.inner_marks += xml.marks_of(data)
    if found.inner_marks > _MOST_INNER_MARKS:
        found.tell(Trait.UNREADABLE_PART, f"{name}: {TOO_LARGE}")
        return
    try:
        root = xml.parse(data)
    except PaperError:
        found.tell(Trait.UNREADABLE_PART, f"{name}: {DAMAGED}")
        return
    _gather([root], found, levels, embedded=False)
