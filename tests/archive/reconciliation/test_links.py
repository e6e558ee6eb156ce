"""Links and ties are written by difference, and read by whatever side one holds."""

from __future__ import annotations

from confere.archive.reconciliation import links
from confere.archive.reconciliation.links import Replaced
from confere.archive.store import Archive
from confere.errors import message
from confere.sales.links import Linked, LinkKind
from tests.archive.books import a_link, a_tie, account, rows
from tests.archive.papers import key

FIRST = Linked((a_link("o1", 1), a_link("o1", 2, LinkKind.REFERENCE, 95), a_link("o2", 3)), (a_tie(4, 5),))


def replace(archive: Archive, account_id: int, run: int, found: Linked) -> Replaced:
    with archive.writing() as transaction:
        return links.replace(transaction, account_id, run, found)


def test_what_was_written_is_read_whole(archive: Archive) -> None:
    owner, other = account(archive), account(archive, "other")
    assert replace(archive, owner.id, 1, FIRST) == Replaced(3, 0, 0, 1, 0)
    replace(archive, other.id, 2, Linked((a_link("o1", 1),)))
    with archive.reading() as transaction:
        assert links.every(transaction, owner.id) == FIRST.links
        (tie,) = links.ties(transaction, owner.id)
        assert (tie.number, tie.tie) == (1, FIRST.ties[0])
        assert links.of(transaction, owner.id, orders=["o1"]) == FIRST.links[:2]
        assert links.of(transaction, owner.id, keys=[key(3)]) == FIRST.links[2:]
        assert links.of(transaction, owner.id, orders=["o1"], keys=[key(1), key(3)]) == FIRST.links
        assert links.between(transaction, owner.id, [("o1", key(1)), ("o2", key(1))]) == {
            ("o1", key(1)): FIRST.links[0]
        }
        counts = links.counts(transaction, owner.id)
    assert (counts.automatic, counts.manual, counts.ambiguous) == (3, 0, 1)
    assert counts.kinds == ((LinkKind.ORDER_KEY, 2), (LinkKind.REFERENCE, 1))


def test_the_same_again_writes_nothing(archive: Archive) -> None:
    owner = account(archive)
    replace(archive, owner.id, 1, FIRST)
    before = rows(archive, "link", "tie")
    again = replace(archive, owner.id, 2, Linked(FIRST.links[::-1], FIRST.ties))
    assert not again.changed
    assert rows(archive, "link", "tie") == before


def test_only_what_differs_is_written(archive: Archive) -> None:
    owner = account(archive)
    replace(archive, owner.id, 1, Linked(FIRST.links, (*FIRST.ties, a_tie(6, 7, orders=("o6",)))))
    other = a_link("o1", 1, LinkKind.ORDER_KEY, 100, message("another reason"))
    found = Linked((other, FIRST.links[1], a_link("o3", 4)), (a_tie(8, orders=("o7",)), a_tie(6, 7, orders=("o6",))))
    assert replace(archive, owner.id, 2, found) == Replaced(1, 1, 1, 1, 1)
    with archive.reading() as transaction:
        assert links.every(transaction, owner.id) == found.links
        runs = transaction.fetch("SELECT order_hub_id, access_key, run_id FROM link ORDER BY 1, 2")
        numbers = {entry.number: entry.tie for entry in links.ties(transaction, owner.id)}
    assert [row[2] for row in runs] == [2, 1, 2]
    assert numbers == {2: found.ties[1], 3: found.ties[0]}, "a tie keeps its number"


def test_hostile_names_and_sentences_come_back(archive: Archive) -> None:
    owner = account(archive)
    nasty = a_link('o"\\\x00ç🙂', 1, LinkKind.QUOTED, 90, message("it quotes {text}", text='"\\{x}\n🙂'))
    replace(archive, owner.id, 1, Linked((nasty,)))
    assert not replace(archive, owner.id, 2, Linked((nasty,))).changed
    with archive.reading() as transaction:
        assert links.every(transaction, owner.id) == (nasty,)
    assert links.read(links.kept(nasty)) == nasty


def test_a_person_puts_and_drops_at_once(archive: Archive) -> None:
    owner = account(archive)
    replace(archive, owner.id, 1, FIRST)
    mine = a_link("o1", 1, LinkKind.PERSON, 100, message("a person linked them"))
    with archive.writing() as transaction:
        links.put(transaction, owner.id, [mine, a_link("o5", 5, LinkKind.PERSON)])
        links.drop(transaction, owner.id, [("o2", key(3)), ("o2", key(9))])
    with archive.reading() as transaction:
        assert links.every(transaction, owner.id) == (mine, FIRST.links[1], a_link("o5", 5, LinkKind.PERSON))
        assert links.counts(transaction, owner.id).manual == 2
