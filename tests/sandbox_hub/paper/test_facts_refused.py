"""Facts that contradict each other are refused by name, not written down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sandbox_hub.paper.document_factory import Authority, event_xml, freight_xml, note_xml
from tests.sandbox_hub.paper.cases import CANCELLATION, EVENTS, FREIGHT, SALE


def test_discount_above_the_goods(authority: Authority) -> None:
    with pytest.raises(ValueError, match="discount is larger than the goods"):
        note_xml(replace(SALE, discount_cents=10**6), authority)


def test_taker_who_is_not_there(authority: Authority) -> None:
    for role in (1, 2, 4):
        with pytest.raises(ValueError, match=f"taker role {role}"):
            freight_xml(replace(FREIGHT, taker_role=role), authority)


def test_event_of_no_known_layout(authority: Authority) -> None:
    with pytest.raises(ValueError, match="110140 of model 55"):
        event_xml(replace(CANCELLATION, code="110140"), authority)
    with pytest.raises(ValueError, match="210200 of model 57"):
        event_xml(replace(CANCELLATION, code="210200", model="57"), authority)


@pytest.mark.parametrize(
    ("name", "field", "empty"),
    [
        ("cancellation", "target_protocol", None),
        ("cancellation", "text", None),
        ("correction letter", "text", None),
        ("cancellation by substitution", "replacement", None),
        ("freight correction letter", "corrections", ()),
        ("disagreement", "text", None),
        ("disagreement withdrawn", "target_protocol", None),
    ],
)
def test_event_that_lacks_what_it_must_say(authority: Authority, name: str, field: str, empty: object) -> None:
    facts = replace(EVENTS[name], **{field: empty})
    with pytest.raises(ValueError, match=field):
        event_xml(facts, authority)
