"""The mill's counter: facts and the test authority in, bytes of signed fiscal XML out.

Every byte is a function of the facts and the authority's seed: no clock, no locale, no hash order, no random
padding. All documents say `tpAmb` 2: they have no fiscal value.
"""

from __future__ import annotations

from sandbox_hub.paper.authority import Authority
from sandbox_hub.paper.facts import EventFacts, FreightFacts, NoteFacts, VoidingFacts

__all__ = ["Authority", "access_key", "event_xml", "freight_xml", "note_xml", "voiding_xml"]


def access_key(facts: NoteFacts | FreightFacts) -> str:
    """The 44 characters that name the document, check digit included."""
    raise RuntimeError("being built")


def note_xml(facts: NoteFacts, authority: Authority) -> bytes:
    """`nfeProc` of an NF-e or NFC-e in layout 4.00, UTF-8, signed by its emitter."""
    raise RuntimeError("being built")


def freight_xml(facts: FreightFacts, authority: Authority) -> bytes:
    """`cteProc` of a CT-e in layout 4.00, UTF-8, signed by the carrier."""
    raise RuntimeError("being built")


def event_xml(facts: EventFacts, authority: Authority) -> bytes:
    """`procEventoNFe` (1.00) or `procEventoCTe` (4.00), UTF-8, signed by the event's author."""
    raise RuntimeError("being built")


def voiding_xml(facts: VoidingFacts, authority: Authority) -> bytes:
    """`ProcInutNFe` in layout 4.00, UTF-8, signed by the emitter whose numbers are given up."""
    raise RuntimeError("being built")
