"""What belongs to a document: both ways, who claims it, and its chain as one structure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import relations
from confere.app.documents.chain import chain_walk
from confere.app.documents.relations import ChainStep, Relations, Role
from confere.archive.documents.recorder import CLAIMED_BY_HUB, CLAIMED_BY_XML, UNSPECIFIED, claim_relations
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, UsageFault
from tests.app.made import account, named_by_hub
from tests.archive import papers
from tests.archive.papers import store
from tests.fiscal import made

REMESSA, RETORNO, SALE, RETURN, BACK = (made.access_key(number=number) for number in range(11, 16))
FREIGHT, COMPLEMENT, SUBSTITUTE, ANNULMENT = (made.cte_key(number=number) for number in range(21, 25))
CHAIN = (REMESSA, RETORNO, SALE, RETURN, BACK)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.at(tmp_path / "home")


@pytest.fixture
def archive(workspace: Workspace) -> Iterator[Archive]:
    with workspace.writing("test") as opened:
        yield opened


def note(key: str, nature: str, cfop: str, *refers: str, process: str = "", cstat: str = "100") -> bytes:
    references = "".join(f"<NFref><refNFe>{other}</refNFe></NFref>" for other in refers)
    told = f'<infAdic><obsCont xCampo="external_id"><xTexto>{process}</xTexto></obsCont></infAdic>' if process else ""
    body = made.note(
        key,
        number=str(int(key[25:34])),
        nature=nature,
        in_ide=references,
        items=[made.item(cfop=cfop)],
        additional=told,
    )
    return made.nfe_proc(body, made.protocol(key, cstat=cstat)).encode()


def freight(key: str, *carried: str, changes: tuple[str, str] | None = None) -> bytes:
    body = made.freight(key, documents=carried)
    if changes is not None:
        kind, other = changes
        body = body.replace("</infCTeNorm>", f"</infCTeNorm><{kind}><chCte>{other}</chCte></{kind}>")
    return made.cte_proc(body, made.protocol(key, tag="CTe")).encode()


FULFILMENT = {
    REMESSA: note(REMESSA, "Remessa para depósito temporário", "5949"),
    RETORNO: note(RETORNO, "Outra entrada", "1949", REMESSA, process="SALE-symbolic_inbound_return-77-1"),
    SALE: note(SALE, "Operação 7", "5106", RETORNO),
    RETURN: note(RETURN, "Devolução de venda", "1202", SALE),
    BACK: note(BACK, "Remessa simbólica", "5949", RETURN),
    FREIGHT: freight(FREIGHT, SALE),
}


def of(archive: Archive, key: str) -> Relations:
    with archive.reading() as transaction:
        return relations.relations(transaction, key)


def steps(found: Relations) -> dict[str, ChainStep]:
    return {step.access_key: step for step in found.chain}


def test_a_chain_is_one_structure_wherever_one_looks_from(archive: Archive) -> None:
    store(archive, *FULFILMENT.values())
    for place, key in enumerate(CHAIN):
        found = of(archive, key)
        assert [step.access_key for step in found.chain] == [REMESSA, RETORNO, SALE, FREIGHT, RETURN, BACK]
        assert [step.stage for step in found.chain] == [0, 1, 2, 2, 3, 4]
        roles = [step.role for step in found.chain if step.access_key != FREIGHT]
        assert roles == [Role.BEFORE] * place + [Role.SELF] + [Role.AFTER] * (4 - place)
        assert steps(found)[FREIGHT].role is Role.CARRIER
        assert steps(found)[FREIGHT].refers_to == (SALE,)
        assert [steps(found)[key].refers_to for key in CHAIN] == [(), (REMESSA,), (RETORNO,), (SALE,), (RETURN,)]
        assert all(step.archived for step in found.chain)
        assert (found.left_out, found.notes) == (0, ())


def test_each_operation_has_its_evidence(archive: Archive) -> None:
    store(archive, *FULFILMENT.values())
    told = {key: (step.operation, str(step.evidence)) for key, step in steps(of(archive, SALE)).items()}
    assert told == {
        REMESSA: ("inbound", "natOp “Remessa para depósito temporário”"),
        RETORNO: ("symbolic_inbound_return", "external_id names stock sent back symbolically"),
        SALE: ("sale", "CFOP 5.106 of all items"),
        RETURN: ("devolution", "natOp “Devolução de venda”"),
        BACK: ("symbolic_inbound", "natOp “Remessa simbólica”"),
        FREIGHT: ("freight", "CFOP 6.353 of all items"),
    }


def test_what_is_not_here_stands_hollow_in_the_chain_and_fills_when_it_comes(archive: Archive) -> None:
    store(archive, FULFILMENT[RETORNO], FULFILMENT[RETURN])
    found = steps(of(archive, RETORNO))
    assert (found[REMESSA].archived, found[REMESSA].operation) == (False, "inbound")
    assert str(found[REMESSA].evidence) == "a symbolic return refers to it"
    found = steps(of(archive, SALE))  # it is not here either, and others speak of it
    assert [(key, step.archived) for key, step in found.items()] == [(SALE, False), (RETURN, True)]
    store(archive, FULFILMENT[REMESSA], FULFILMENT[SALE])
    found = steps(of(archive, RETORNO))
    assert {key: step.archived for key, step in found.items()} == dict.fromkeys(CHAIN[:4], True)


def test_the_hub_tells_what_an_absent_document_is(archive: Archive) -> None:
    shop = account(archive)
    store(archive, papers.note(1, refers=papers.key(2)))
    named_by_hub(archive, shop, 2, items=(), day="2026-10-05")
    with archive.writing() as transaction:
        transaction.execute("UPDATE hub_document SET subtype = 'symbolic_inbound_return', order_id = 'P-1'")
    found = steps(of(archive, papers.key(1)))[papers.key(2)]
    assert (found.archived, found.operation) == (False, "symbolic_inbound_return")
    assert str(found.evidence) == "the hub calls it stock sent back symbolically"
    assert found.hub is not None
    assert found.hub.order_id == "P-1"
    assert [order.order_id for order in of(archive, papers.key(2)).orders] == ["P-1"]


def test_siblings_are_counted_and_not_walked(archive: Archive) -> None:
    others = [made.access_key(number=number) for number in range(100, 140)]
    store(archive, *FULFILMENT.values(), *(note(key, "Retorno simbólico", "1949", REMESSA) for key in others))
    found = of(archive, SALE)
    assert set(steps(found)) == {*CHAIN, FREIGHT}
    assert steps(found)[REMESSA].referred_elsewhere == 40
    assert steps(found)[RETORNO].referred_elsewhere == 0
    from_the_top = of(archive, REMESSA)
    assert len(from_the_top.chain) == 46
    assert steps(from_the_top)[REMESSA].referred_elsewhere == 0


def test_what_a_later_step_refers_to_beside_is_counted(archive: Archive) -> None:
    other = made.access_key(number=500)
    store(archive, FULFILMENT[SALE], note(RETURN, "Devolução de venda", "1202", SALE, other))
    found = steps(of(archive, SALE))
    assert other not in found
    assert (found[RETURN].refers_to, found[RETURN].refers_elsewhere) == ((SALE,), 1)


def test_a_chain_has_an_end_however_wide_it_is(archive: Archive) -> None:
    keys = [made.access_key(number=number) for number in range(1000, 1620)]
    with archive.writing() as transaction:
        claim_relations(transaction, [(key, REMESSA, "references") for key in keys], CLAIMED_BY_XML)
    found = of(archive, REMESSA)
    assert len(found.chain) == chain_walk.MOST_STEPS
    assert found.left_out == len(keys) - chain_walk.MOST_STEPS + 1
    assert found.incoming_total == len(keys)
    with archive.reading() as transaction:
        some = relations.relations(transaction, REMESSA, 7)
    assert (len(some.incoming), some.incoming_total) == (7, len(keys))


def test_a_chain_has_an_end_however_deep_it_is(archive: Archive) -> None:
    keys = [made.access_key(number=number) for number in range(1000, 1100)]
    with archive.writing() as transaction:
        claim_relations(transaction, list(zip(keys, keys[1:], ["references"] * 99, strict=False)), CLAIMED_BY_XML)
    found = of(archive, keys[0])
    assert len(found.chain) == 41
    assert found.left_out == 1
    assert [step.access_key for step in found.chain] == keys[40::-1]


def test_a_circle_is_walked_once(archive: Archive) -> None:
    store(
        archive,
        note(SALE, "Venda", "5102", RETURN),
        note(RETURN, "Devolução", "1202", SALE, RETURN),  # names itself too
    )
    found = steps(of(archive, SALE))
    assert {key: set(step.refers_to) for key, step in found.items()} == {SALE: {RETURN}, RETURN: {SALE, RETURN}}
    assert sorted(step.stage for step in found.values()) == [0, 1]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40), start=st.integers(0, 11))
def test_any_web_of_references_gives_a_chain_that_is_closed(
    tmp_path_factory: pytest.TempPathFactory, pairs: set[tuple[int, int]], start: int
) -> None:
    keys = [made.access_key(number=number) if number % 4 else made.cte_key(number=number + 1) for number in range(12)]
    claims = [
        (keys[one], keys[other], "carries" if one % 4 == 0 and other % 4 else "references") for one, other in pairs
    ]
    with Archive.to_write(tmp_path_factory.mktemp("web") / "a.sqlite3", "test") as archive:
        with archive.writing() as transaction:
            claim_relations(transaction, claims, CLAIMED_BY_XML)
        found = of(archive, keys[start])
    by_key = steps(found)
    assert len(by_key) == len(found.chain)
    assert by_key[keys[start]].role is Role.SELF
    for step in found.chain:
        assert set(step.refers_to) <= by_key.keys()
        out = {target for source, target, _ in claims if source == step.access_key}
        incoming = {source for source, target, _ in claims if target == step.access_key}
        assert step.refers_elsewhere == len(out - by_key.keys())
        assert step.referred_elsewhere == len(incoming - by_key.keys())
    if all(one > other for one, other in pairs):  # no circles: what is referred to stands before
        for step in found.chain:
            for key in step.refers_to:
                if Role.CARRIER not in (step.role, by_key[key].role) and "carries" not in _kinds(step, key):
                    assert by_key[key].stage < step.stage


def _kinds(step: ChainStep, key: str) -> set[str]:
    return {link.kind for link in step.links if link.target_key == key}


def test_a_freight_has_what_changes_it_and_what_it_carries(archive: Archive) -> None:
    other = made.access_key(number=99)
    store(
        archive,
        FULFILMENT[SALE],
        freight(FREIGHT, SALE, other),
        freight(COMPLEMENT, changes=("infCteComp", FREIGHT)),
        freight(SUBSTITUTE, SALE, changes=("infCteSub", FREIGHT)),
        freight(ANNULMENT, changes=("infCteAnu", FREIGHT)),
    )
    expected = {FREIGHT: set(), COMPLEMENT: {"complements"}, SUBSTITUTE: {"replaces"}, ANNULMENT: {"annuls"}}
    found = steps(of(archive, FREIGHT))
    assert set(found) == {*expected, SALE, other}
    for key, kinds in expected.items():
        assert _kinds(found[key], FREIGHT) == kinds
    assert (found[SALE].role, found[other].role, found[other].archived) == (Role.CARRIED, Role.CARRIED, False)
    assert [found[key].stage for key in (SALE, FREIGHT, COMPLEMENT)] == [0, 1, 2]
    assert set(steps(of(archive, COMPLEMENT))) == set(found)
    of_note = steps(of(archive, SALE))
    assert set(of_note) == {SALE, RETORNO, *expected}
    assert {of_note[key].role for key in expected} == {Role.CARRIER}
    assert len({of_note[key].stage for key in (SALE, *expected)}) == 1


class TestNotes:
    """What a chain tells as a whole."""

    def test_a_symbolic_return_without_a_sale(self, archive: Archive) -> None:
        store(archive, FULFILMENT[REMESSA], FULFILMENT[RETORNO])
        (told,) = of(archive, RETORNO).notes
        assert "The symbolic return 1/12 has no sale in the archive" in str(told)
        assert of(archive, REMESSA).notes == (told,)
        store(archive, FULFILMENT[SALE])
        assert of(archive, RETORNO).notes == of(archive, REMESSA).notes == ()

    def test_many_are_counted(self, archive: Archive) -> None:
        keys = [made.access_key(number=number) for number in range(100, 105)]
        returns = [note(key, "x", "1949", REMESSA, process="SALE-symbolic_inbound_return-1") for key in keys]
        store(archive, FULFILMENT[REMESSA], *returns)
        (told,) = of(archive, REMESSA).notes
        assert str(told).startswith("5 symbolic returns have no sale in the archive (1/100, 1/101, 1/102 …)")

    def test_one_without_effect_takes_nothing_out(self, archive: Archive) -> None:
        store(archive, note(RETORNO, "x", "1949", REMESSA, process="SALE-symbolic_inbound_return-1", cstat="302"))
        assert of(archive, RETORNO).notes == ()

    def test_the_hub_may_know_the_sale(self, archive: Archive) -> None:
        shop = account(archive)
        store(archive, papers.note(1, refers=papers.key(9)))
        named_by_hub(archive, shop, 1, items=(), day="2026-10-05")
        named_by_hub(archive, shop, 2, items=(), day="2026-10-05")
        with archive.writing() as transaction:
            transaction.execute("UPDATE hub_document SET order_id = 'P-1', subtype = 'sale'")
            transaction.execute(
                "UPDATE hub_document SET subtype = 'symbolic_inbound_return' WHERE access_key = ?", (papers.key(1),)
            )
            transaction.execute("UPDATE document SET hub_order_id = 'P-1', hub_subtype = 'symbolic_inbound_return'")
        (told,) = of(archive, papers.key(1)).notes
        assert papers.key(2) in str(told)

    def test_a_sale_out_of_a_warehouse_without_its_return(self, archive: Archive) -> None:
        store(archive, note(SALE, "Venda", "6106"))
        (told,) = of(archive, SALE).notes
        assert str(told) == "The sale 1/13 leaves a warehouse (CFOP 6.106), but refers to no symbolic return."
        assert of(archive, RETORNO).notes == ()


def test_a_vague_claim_of_the_hub_joins_what_the_xml_says_of_the_same_two(archive: Archive) -> None:
    store(archive, FULFILMENT[FREIGHT])
    other = made.access_key(number=600)
    with archive.writing() as transaction:
        # The hub names the freight in the sale's record, and each of two in the other's.
        claims = [(SALE, FREIGHT, UNSPECIFIED), (SALE, other, UNSPECIFIED), (other, SALE, UNSPECIFIED)]
        claim_relations(transaction, claims, CLAIMED_BY_HUB)
    found = of(archive, SALE)
    assert [(edge.kind, edge.key, edge.claims) for edge in found.incoming] == [("carries", FREIGHT, 3)]
    assert [(edge.kind, edge.key, edge.claims) for edge in found.out] == [(UNSPECIFIED, other, 2)]
    freights = of(archive, FREIGHT)
    assert [(edge.kind, edge.claims) for edge in freights.out] == [("carries", 3)]
    assert freights.incoming == ()


def test_a_bare_claim_of_the_hub_has_no_direction_and_is_not_walked(archive: Archive) -> None:
    others = [made.access_key(number=number) for number in range(700, 705)]
    with archive.writing() as transaction:
        claim_relations(transaction, [(REMESSA, other, UNSPECIFIED) for other in others], CLAIMED_BY_HUB)
        claim_relations(transaction, [(SALE, REMESSA, "references")], CLAIMED_BY_XML)
    found = of(archive, SALE)
    assert set(steps(found)) == {SALE, REMESSA}
    assert steps(found)[REMESSA].refers_elsewhere == 5


def test_it_is_found_by_every_name(workspace: Workspace, archive: Archive) -> None:
    store(archive, FULFILMENT[SALE], papers.cancellation(3))
    with archive.reading() as transaction:
        (row,) = transaction.fetch("SELECT d.id, c.digest FROM document d JOIN content c ON c.id = d.content_id")
    for name in (SALE, SALE.lower(), str(row[0]), row[1].hex()):
        assert relations.named(workspace, name).access_key == SALE
    absent = relations.named(workspace, f" {RETORNO} ")
    assert [(edge.key, edge.archived) for edge in absent.incoming] == [(SALE, True)]
    only_events = relations.named(workspace, papers.key(3))
    assert [event.code for event in only_events.events] == ["110111"]
    for unknown in (made.access_key(number=4711), "0" * 64, "999", "x"):
        with pytest.raises(NotInArchive):
            relations.named(workspace, unknown)
    opened = OpenArchive(workspace)
    assert relations.relations(opened, SALE) == relations.named(workspace, SALE)
    opened.close()


def test_what_has_no_key_can_be_named_by_nobody(workspace: Workspace, archive: Archive) -> None:
    store(archive, b"<something/>")
    with pytest.raises(UsageFault):
        relations.named(workspace, "1")


def test_a_wide_chain_costs_no_more_statements_than_a_narrow_one(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    fetch = Transaction.fetch

    def counted(self: Transaction, sql: str, parameters: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        asked.append(sql)
        return fetch(self, sql, parameters)

    store(archive, FULFILMENT[REMESSA], FULFILMENT[RETORNO], FULFILMENT[SALE], FULFILMENT[FREIGHT])
    monkeypatch.setattr(Transaction, "fetch", counted)
    of(archive, REMESSA)
    narrow = len(asked)
    monkeypatch.undo()
    store(archive, *_many(range(2000, 2200)))
    monkeypatch.setattr(Transaction, "fetch", counted)
    asked.clear()
    assert len(of(archive, REMESSA).chain) == 404
    assert len(asked) == narrow


def _many(numbers: Iterable[int]) -> Iterator[bytes]:
    for number in numbers:
        back = made.access_key(number=number)
        yield note(back, "Retorno simbólico", "1949", REMESSA)
        yield note(made.access_key(number=number + 1000), "Venda", "5106", back)
