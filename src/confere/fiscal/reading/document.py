"""Reading one file: from bytes to documents, events and voided ranges, in one pass."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from lxml.etree import _Element

from confere.fiscal.document_parts import Warning
from confere.fiscal.model import Document, Event, Paper, Voiding
from confere.fiscal.reading import envelopes, xml
from confere.fiscal.reading.common import protocol
from confere.fiscal.reading.cte.cte import read_cte
from confere.fiscal.reading.elements import LOCAL, local_name, namespace
from confere.fiscal.reading.envelopes import EnvelopePart
from confere.fiscal.reading.events.events import read_event
from confere.fiscal.reading.nfe.nfe import read_nfe
from confere.fiscal.reading.nfse import read_service_note
from confere.fiscal.reading.other_models import LAYOUTS, read_head
from confere.fiscal.reading.reader_version import READER as READER
from confere.fiscal.reading.voidings import read_voiding
from confere.fiscal.warnings import Trait

_LONGEST_TEXT: Final = 4000
_READERS: Final = {
    "NFe": read_nfe,
    **dict.fromkeys(("CTe", "CTeSimp", "CTeOS"), read_cte),
    **dict.fromkeys(LAYOUTS, read_head),
    "NFSe": read_service_note,
}


def read(data: bytes, *, limit: int = xml.DEFAULT_LIMIT, whole: bool | Collection[int] = False) -> Paper:
    """Everything that `data` holds: NF-e, NFC-e, CT-e, CT-e OS, heads of other models, events, voided ranges.

    Well-formed XML of another kind gives a `Paper` that is not `recognised`. Traits of the file (BOM, encoding,
    envelope) are warnings of the paper and of each document, event and range in it. `whole` reads what only
    somebody who opens the document asks for as well (`confere.fiscal.detail`), in the same pass: of everything, or
    of events and of the documents at these positions.

    Raises PaperError for what is not XML, PaperHostile for what is built to harm; nothing else.
    """
    root, traits = xml.open_paper(data, limit=limit)
    return read_root(root, traits, whole=whole)


def read_root(root: _Element, traits: tuple[Warning, ...] = (), *, whole: bool | Collection[int] = False) -> Paper:
    """As `read`, for a tree that `xml.open_paper` gave: who needs the tree as well parses once."""
    name = local_name(root)
    carried = traits if envelopes.is_usual_root(name) else (*traits, Warning(Trait.WRAPPED, name))
    found = envelopes.find(root)
    count = sum(part.element is not None for part in found.documents)
    if count > 1:
        carried = (*carried, Warning(Trait.LOT, str(count)))
    documents: list[Document] = []
    for part in found.documents:
        is_whole = whole if isinstance(whole, bool) else len(documents) in whole
        if (paper := _document(part, carried, is_whole)) is not None:
            documents.append(paper)
    events = [event for part in found.events if (event := _event(part, carried, bool(whole))) is not None]
    voidings = [voiding for part in found.voidings if (voiding := _voiding(part, carried)) is not None]
    recognised = bool(documents or events or voidings)
    if found.warnings:
        # What is odd about the file beside its papers is told with the first of them: lists show papers, not files.
        if documents:
            documents[0] = replace(documents[0], warnings=(*documents[0].warnings, *found.warnings))
        elif events:
            events[0] = replace(events[0], warnings=(*events[0].warnings, *found.warnings))
        elif voidings:
            voidings[0] = replace(voidings[0], warnings=(*voidings[0].warnings, *found.warnings))
    return Paper(
        name,
        namespace(root),
        tuple(documents),
        tuple(events),
        tuple(voidings),
        (*(carried if recognised else traits), *found.warnings),
        tuple(found.answers),
        "" if recognised else _words(root),
    )


def _document(part: EnvelopePart, traits: tuple[Warning, ...], whole: bool) -> Document | None:
    if part.element is None:
        return None
    answer = protocol(part.answer) if part.answer is not None else None
    reader = _READERS[LOCAL[part.element.tag]]
    return reader(part.element, answer, embedded=part.embedded, traits=_with_prefixes(part, traits), whole=whole)


def _event(part: EnvelopePart, traits: tuple[Warning, ...], whole: bool) -> Event | None:
    return read_event(
        part.element, part.answer, embedded=part.embedded, traits=_with_prefixes(part, traits), whole=whole
    )


def _voiding(part: EnvelopePart, traits: tuple[Warning, ...]) -> Voiding | None:
    return read_voiding(part.element, part.answer, traits=_with_prefixes(part, traits))


def _with_prefixes(part: EnvelopePart, traits: tuple[Warning, ...]) -> tuple[Warning, ...]:
    """`traits` and, where the paper or its signature writes its namespace with a prefix, that."""
    element = part.element if part.element is not None else part.answer
    if element is None:
        return traits
    if element.prefix is not None:
        traits = (*traits, Warning(Trait.PREFIXED, f"{element.prefix}:"))
    for child in element:
        if LOCAL[child.tag] == "Signature" and child.prefix is not None:
            if child.prefix != element.prefix:
                traits = (*traits, Warning(Trait.PREFIXED_SIGNATURE, f"{child.prefix}:"))
            break
    return traits


def _words(root: _Element) -> str:
    """The start of what an unread kind of paper says: somebody may look for a key or name in it."""
    words: list[str] = []
    room = _LONGEST_TEXT
    for text in root.itertext():
        plain = " ".join(str(text).split())
        if plain:
            words.append(plain[:room])
            room -= len(plain)
        if room <= 0:
            break
    return " ".join(words)
