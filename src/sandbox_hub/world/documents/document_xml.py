"""The XML of any occurrence of any document, made when asked for."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from sandbox_hub.paper.document_factory import Authority, event_xml, freight_xml, note_xml, voiding_xml
from sandbox_hub.paper.facts import EventFacts, Taxpayer, VoidingFacts
from sandbox_hub.world.documents.cte_facts import freight_facts
from sandbox_hub.world.documents.nfe_facts import note_facts, protocol, recipient_of
from sandbox_hub.world.scenarios import Happening, Subtype
from sandbox_hub.world.world import COPY, Occurrence, World

_SIGNED_BEFORE = timedelta(seconds=45)  # an event is signed and registered shortly before the hub knows
_REGISTERED_BEFORE = timedelta(seconds=30)
_VOIDING_REASON = "Numeração não utilizada por falha no sistema emissor"


_BETWEEN_TAGS = re.compile(rb"><(?!/)")


def print_xml(world: World, index: int, occurrence: Occurrence, authority: Authority) -> bytes:
    """The bytes that the hub serves for `occurrence` of document `index`."""
    if occurrence.happening is not None:
        return event_xml(event_facts(world, index, occurrence), authority)
    subtype = world.place(index).subtype
    if subtype is Subtype.VOIDING:
        return voiding_xml(voiding_facts(world, index), authority)
    if subtype is Subtype.FREIGHT:
        return freight_xml(freight_facts(world, index), authority)
    data = note_xml(note_facts(world, index), authority)
    return _copy(world, index, data) if occurrence.ordinal == COPY else data


def event_facts(world: World, index: int, occurrence: Occurrence) -> EventFacts:
    """The facts of an event of document `index`."""
    happening = occurrence.happening
    assert happening is not None
    author = _author(world, index, happening)
    zone = world.zones[world.place(index).line.emitter]
    known = datetime.fromtimestamp(occurrence.at, zone)
    model = world.place(index).line.model
    return EventFacts(
        target=world.numbering.key(index),
        code=happening.code,
        occurred_at=known - _SIGNED_BEFORE,
        author=author,
        protocol=protocol(world, index, occurrence.ordinal),
        received_at=known - _REGISTERED_BEFORE,
        model=model,
        sequence=happening.sequence,
        text=happening.text or None,
        target_protocol=protocol(world, index, 0 if happening.code in ("110111", "110190") else 1),
        status=happening.status,
        recipient=recipient_of(world, index) if model != "57" else None,
    )


def voiding_facts(world: World, index: int) -> VoidingFacts:
    """The facts of a voiding record: the numbers that its line skips there."""
    place = world.place(index)
    issued = world.numbering.issued_at(index)
    first = world.numbering.number(index)
    return VoidingFacts(
        emitter=world.cast.companies[place.company],
        year=issued.year,
        series=place.line.series,
        first=first,
        last=first + world.planted.voided_numbers(index) - 1,
        reason=_VOIDING_REASON,
        protocol=protocol(world, index),
        received_at=issued,
    )


def _copy(world: World, index: int, data: bytes) -> bytes:
    """The same note in other bytes: a blank outside what is signed, or written anew with line breaks everywhere."""
    if world.planted.lie(index) == "R7a.reserialized":
        return _BETWEEN_TAGS.sub(b">\n<", data)
    return data.replace(b"</NFe><protNFe", b"</NFe>\n<protNFe")


def _author(world: World, index: int, happening: Happening) -> Taxpayer:
    """Who signs: recipients manifest, takers disagree, carriers tell of a failed delivery, the emitter the rest."""
    place = world.place(index)
    if happening.code.startswith("2102"):
        return recipient_of(world, index)
    if happening.code.startswith("61011"):
        return world.cast.companies[place.company]
    if happening.code == "110192":
        return world.cast.carriers[place.carrier]
    return world.numbering.emitters[place.line.emitter]
