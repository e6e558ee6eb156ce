"""The mill's counter: facts and the test authority in, bytes of signed fiscal XML out.

Every byte is a function of the facts and the authority's seed: no clock, no locale, no hash order, no random
padding. All documents say `tpAmb` 2: they have no fiscal value.

Text is made legal for the layouts (blanks joined, characters beyond Latin-1 replaced, what is too long cut);
facts that contradict each other (a discount above the goods, a taker who is not there) raise ValueError.
"""

from __future__ import annotations

from sandbox_hub.paper.authority import Authority
from sandbox_hub.paper.cte import freight_key, freight_xml
from sandbox_hub.paper.event import event_xml
from sandbox_hub.paper.facts import FreightFacts, NoteFacts
from sandbox_hub.paper.keys import check_digit
from sandbox_hub.paper.nfe import note_key, note_xml
from sandbox_hub.paper.voiding import voiding_xml

__all__ = [
    "Authority",
    "access_key",
    "check_digit",
    "event_xml",
    "freight_xml",
    "note_xml",
    "voiding_xml",
]


def access_key(facts: NoteFacts | FreightFacts) -> str:
    """The 44 characters that name the document, check digit included."""
    return freight_key(facts) if isinstance(facts, FreightFacts) else note_key(facts)
