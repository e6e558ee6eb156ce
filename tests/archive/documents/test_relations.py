"""Every reference that a paper can make, in both directions, whatever came first and whatever never comes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.archive.documents import details, relations
from confere.archive.documents.recorder import CLAIMED_BY_HUB, CLAIMED_BY_XML, UNSPECIFIED, claim_relations
from confere.archive.store import Archive
from tests.archive.papers import store
from tests.fiscal import made

XML, HUB, BOTH = CLAIMED_BY_XML, CLAIMED_BY_HUB, CLAIMED_BY_XML | CLAIMED_BY_HUB
NOTE, ORIGIN, SIGNED, PAID, NAMED, OLDER, ABSENT = (made.access_key(number=number) for number in range(101, 108))
FREIGHT, FIRST, SECOND, CARRIER = (made.cte_key(number=number) for number in range(201, 205))

REFERS = (
    f"<NFref><refNFe>{ORIGIN}</refNFe></NFref><NFref><refNFeSig>{SIGNED}</refNFeSig></NFref>"
    f"<NFref><refCTe>{FIRST}</refCTe></NFref><gPagAntecipado><refNFe>{PAID}</refNFe></gPagAntecipado>"
)
ITEM = made.item(after=f"<DFeReferenciado><chaveAcesso>{NAMED}</chaveAcesso><nItem>1</nItem></DFeReferenciado>")


def note(key: str, **parts: object) -> bytes:
    body = made.note(key, number=str(int(key[25:34])), **parts)  # type: ignore[arg-type]
    return made.nfe_proc(body, made.protocol(key)).encode()


def freight(key: str, **parts: object) -> bytes:
    return made.cte_proc(made.freight(key, **parts), made.protocol(key, tag="CTe")).encode()  # type: ignore[arg-type]


def changing(key: str, kind: str, inner: str) -> bytes:
    """A CT-e that complements, replaces or annuls another one."""
    return made.cte_proc(
        made.freight(key).replace("</infCTeNorm>", f"</infCTeNorm><{kind}>{inner}</{kind}>"),
        made.protocol(key, tag="CTe"),
    ).encode()


def before(key: str, other: str) -> bytes:
    """A CT-e that takes the load over from another one."""
    inner = f"<emiDocAnt><idDocAnt><idDocAntEle><chCTe>{other}</chCTe></idDocAntEle></idDocAnt></emiDocAnt>"
    return freight(key, documents=[NOTE], normal=f"<docAnt>{inner}</docAnt>")


FILES = {
    "note": note(NOTE, in_ide=REFERS, items=[ITEM]),
    "origin": note(ORIGIN),
    "paid": note(PAID),
    "freight": before(FREIGHT, SECOND),
    "first": freight(FIRST, documents=[NOTE, ABSENT]),
    "complement": changing(SECOND, "infCteComp", f"<chCTe>{FIRST}</chCTe>"),
    "substituted": made.event_proc(
        OLDER, code="110112", detail=f"<descEvento>x</descEvento><chNFeRef>{NOTE}</chNFeRef>"
    ).encode(),
    "registered": made.event_proc(
        NOTE, code="610600", detail=f"<descEvento>x</descEvento><CTe><chCTe>{CARRIER}</chCTe></CTe>"
    ).encode(),
}
EXPECTED = {
    (NOTE, "references", ORIGIN, XML, True),
    (NOTE, "references", SIGNED, XML, False),
    (NOTE, "references", FIRST, XML, True),
    (NOTE, "prepayment", PAID, XML, True),
    (NOTE, "item_references", NAMED, XML, False),
    (NOTE, "replaces", OLDER, XML, False),
    (FREIGHT, "carries", NOTE, XML, True),
    (FREIGHT, "continues", SECOND, XML, True),
    (FIRST, "carries", NOTE, BOTH, True),
    (FIRST, "carries", ABSENT, XML, False),
    (SECOND, "complements", FIRST, XML, True),
    (CARRIER, "carries", NOTE, XML, True),
    (CARRIER, "related", ORIGIN, HUB, True),
}
HUB_SAYS = [(FIRST, NOTE, UNSPECIFIED), (CARRIER, ORIGIN, UNSPECIFIED)]


def arrive(archive: Archive, names: Sequence[str]) -> None:
    for name in names:
        if name == "hub":
            with archive.writing() as transaction:
                claim_relations(transaction, HUB_SAYS, CLAIMED_BY_HUB)
        else:
            store(archive, FILES[name])


def told(archive: Archive) -> set[tuple[str, str, str, int, bool]]:
    """Every relation as its left side has it."""
    with archive.reading() as transaction:
        sources = {row[0] for row in transaction.fetch("SELECT source_key FROM relation")}
        return {
            (row.source_key, row.kind, row.target_key, row.claims, row.archived)
            for key in sources
            for row in details.relations_from(transaction, key)
        }


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations([*FILES, "hub"]))
def test_any_order_of_arrival_ends_in_the_same_relations(
    tmp_path_factory: pytest.TempPathFactory, order: list[str]
) -> None:
    with Archive.to_write(tmp_path_factory.mktemp("order") / "a.sqlite3", "test") as archive:
        arrive(archive, order)
        assert told(archive) == EXPECTED


def test_both_directions_say_the_same(archive: Archive) -> None:
    arrive(archive, [*FILES, "hub"])
    with archive.reading() as transaction:
        backwards = {
            (row.source_key, row.kind, row.target_key, row.claims)
            for target in {entry[2] for entry in EXPECTED}
            for row in details.relations_to(transaction, target)
        }
        assert backwards == {entry[:4] for entry in EXPECTED}
        here = {row.source_key: row.archived for row in details.relations_to(transaction, NOTE)}
    assert here == {FREIGHT: True, FIRST: True, CARRIER: False}


def test_an_absent_target_is_kept_and_here_as_soon_as_it_comes(archive: Archive) -> None:
    arrive(archive, ["note"])
    with archive.reading() as transaction:
        assert not any(row.archived for row in details.relations_from(transaction, NOTE))
    arrive(archive, ["origin"])
    with archive.reading() as transaction:
        here = {row.target_key for row in details.relations_from(transaction, NOTE) if row.archived}
    assert here == {ORIGIN}


@pytest.mark.parametrize(("kind", "tag"), [("replaces", "infCteSub"), ("annuls", "infCteAnu")])
def test_a_cte_that_takes_the_place_of_another_says_so(archive: Archive, kind: str, tag: str) -> None:
    name = "chCte"
    store(archive, changing(SECOND, tag, f"<{name}>{FIRST}</{name}>"))
    assert told(archive) == {(SECOND, kind, FIRST, XML, False)}


def test_a_simplified_cte_carries_the_notes_of_its_deliveries(archive: Archive) -> None:
    key = made.cte_key(number=300)
    body = made.freight(key, root="CTeSimp").replace(
        "</infCTeNorm>", f"</infCTeNorm><det nItem='1'><infNFe><chNFe>{NOTE}</chNFe></infNFe></det>"
    )
    store(archive, made.cte_proc(body, made.protocol(key, tag="CTe"), root="cteSimpProc").encode())
    assert told(archive) == {(key, "carries", NOTE, XML, False)}


def test_an_event_that_was_not_registered_says_nothing_of_others(archive: Archive) -> None:
    refused = made.event_proc(
        OLDER, code="110112", cstat="501", detail=f"<descEvento>x</descEvento><chNFeRef>{NOTE}</chNFeRef>"
    )
    store(archive, refused.encode())
    assert told(archive) == set()


@pytest.mark.parametrize("hub_first", [True, False])
def test_the_hubs_claim_is_of_every_kind_that_the_xml_gives(archive: Archive, hub_first: bool) -> None:
    twice = note(
        NOTE,
        in_ide=f"<NFref><refNFe>{ORIGIN}</refNFe></NFref><gPagAntecipado><refNFe>{ORIGIN}</refNFe></gPagAntecipado>",
    )

    def hub() -> None:
        with archive.writing() as transaction:
            claim_relations(transaction, [(NOTE, ORIGIN, UNSPECIFIED)], CLAIMED_BY_HUB)

    if hub_first:
        hub()
    store(archive, twice)
    if not hub_first:
        hub()
    assert told(archive) == {(NOTE, kind, ORIGIN, BOTH, False) for kind in ("references", "prepayment")}


def test_many_are_asked_at_once_and_no_more_than_wanted(archive: Archive) -> None:
    targets = [made.access_key(number=number) for number in range(1000, 2300)]
    with archive.writing() as transaction:
        claim_relations(transaction, [(NOTE, target, "references") for target in targets], CLAIMED_BY_XML)
        claim_relations(transaction, [(FIRST, target, "carries") for target in targets], CLAIMED_BY_XML)
    with archive.reading() as transaction:
        every = relations.links_from(transaction, [NOTE, FIRST], ["references", "carries"], 10_000)
        assert {(link.source_key, link.target_key) for link in every} == {
            (source, target) for source in (NOTE, FIRST) for target in targets
        }
        assert len(relations.links_from(transaction, [NOTE], ["references"], 700)) == 700
        assert relations.links_from(transaction, [NOTE], ["carries"], 700) == []
        assert len(relations.links_to(transaction, targets, ["carries"], 1200)) == 1200
        assert relations.count_from(transaction, [NOTE, ORIGIN]) == {NOTE: len(targets)}
        assert relations.count_to(transaction, targets) == dict.fromkeys(targets, 2)
        assert relations.is_named(transaction, targets[0])
        assert not relations.is_named(transaction, NOTE)
