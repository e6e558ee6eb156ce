"""Reading one file: from bytes to documents, events and voided ranges, in one pass."""

from __future__ import annotations

from typing import Final

from lxml.etree import _Element

from confere.fiscal.model import Document, Event, Paper, Voiding, Warning
from confere.fiscal.reading import envelopes, xml
from confere.fiscal.reading.common import protocol
from confere.fiscal.reading.cte import read_cte
from confere.fiscal.reading.elements import LOCAL, local_name, namespace
from confere.fiscal.reading.envelopes import Part
from confere.fiscal.reading.events import read_event
from confere.fiscal.reading.mdfe import read_mdfe
from confere.fiscal.reading.nfe import read_nfe
from confere.fiscal.reading.voidings import read_voiding
from confere.fiscal.traits import Trait

_LONGEST_TEXT: Final = 4000
_READERS: Final = {"NFe": read_nfe, "CTe": read_cte, "CTeSimp": read_cte, "CTeOS": read_cte, "MDFe": read_mdfe}


def read(data: bytes, *, limit: int = xml.DEFAULT_LIMIT) -> Paper:
    """Everything that `data` holds: NF-e, NFC-e, CT-e, CT-e OS, MDF-e headers, their events, voided ranges.

    Well-formed XML of another kind gives a `Paper` that is not `recognised`. Traits of the file (BOM, encoding,
    envelope) are warnings of the paper and of each document, event and range in it.

    Raises PaperError for what is not XML, PaperHostile for what is built to harm; nothing else.
    """
    root, traits = xml.open_paper(data, limit=limit)
    return read_root(root, traits)


def read_root(root: _Element, traits: tuple[Warning, ...] = ()) -> Paper:
    """As `read`, for a tree that `xml.open_paper` gave: who needs the tree as well parses once."""
    name = local_name(root)
    carried = traits if envelopes.is_usual_root(name) else (*traits, Warning(Trait.WRAPPED, name))
    found = envelopes.find(root)
    documents = tuple(filter(None, (_document(part, carried) for part in found.documents)))
    events = tuple(filter(None, (_event(part, carried) for part in found.events)))
    voidings = tuple(filter(None, (_voiding(part, carried) for part in found.voidings)))
    recognised = bool(documents or events or voidings)
    return Paper(
        name,
        namespace(root),
        documents,
        events,
        voidings,
        (*(carried if recognised else traits), *found.warnings),
        "" if recognised else _words(root),
    )


def _document(part: Part, traits: tuple[Warning, ...]) -> Document | None:
    if part.element is None:
        return None
    answer = protocol(part.answer) if part.answer is not None else None
    return _READERS[LOCAL[part.element.tag]](part.element, answer, embedded=part.embedded, traits=traits)


def _event(part: Part, traits: tuple[Warning, ...]) -> Event | None:
    return read_event(part.element, part.answer, embedded=part.embedded, traits=traits)


def _voiding(part: Part, traits: tuple[Warning, ...]) -> Voiding | None:
    return read_voiding(part.element, part.answer, traits=traits)


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
