"""Reading one file: from bytes to documents, events and voided ranges, in one pass."""

from __future__ import annotations

from lxml.etree import _Element

from confere.fiscal import envelopes, xml
from confere.fiscal.elements import local_name, namespace
from confere.fiscal.envelopes import Found
from confere.fiscal.model import Paper, Warning
from confere.fiscal.traits import Trait

_LONGEST_TEXT = 4000


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
    found = Found(traits=carried)
    envelopes.gather([root], found)
    recognised = found.documents or found.events or found.voidings
    return Paper(
        name,
        namespace(root),
        tuple(found.documents),
        tuple(found.events),
        tuple(found.voidings),
        (*(carried if recognised else traits), *found.warnings),
        "" if recognised else _words(root),
    )


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
