"""One value of every column that the archive derives of papers, edited by another program: found by table and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.archive.authenticity import verdicts
from confere.archive.authenticity.verdicts import JudgedContent, Judgement
from confere.archive.derived import invariants
from confere.archive.derived.difference import WHOLE_ROW, ValueDifference
from confere.archive.maintenance import health
from confere.archive.schema.schema import metadata
from confere.archive.store import Archive
from tests.archive.derived.edited import edited, other, rows
from tests.archive.listed import PLAIN, VOIDING, add_accounts, download, observe
from tests.archive.papers import EMITTER, cancellation, key, note, store

TABLES = (
    "document", "event", "item", "item_reference", "tax_group", "voiding", "party", "taxpayer", "lone_answer",
    "relation", "belonging",
)  # fmt: skip
BY_OTHERS = {("document", "id"), ("taxpayer", "id"), ("event", "id")}
"""Numbers of rows: others lack the one of a document or taxpayer; an event's is named nowhere, and says nothing."""
ANSWER = (
    '<protNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><infProt><tpAmb>1</tpAmb>'
    f"<chNFe>{key(8)}</chNFe><dhRecbto>2026-10-05T10:01:00-03:00</dhRecbto><nProt>135260000000008</nProt><digVal>QUJD</digVal>"
    "<cStat>100</cStat><xMotivo>x</xMotivo></infProt></protNFe>"
).encode()


@pytest.fixture
def full(archive: Archive) -> Archive:
    """A little of everything that papers come to, with the word of two hubs and a verdict."""
    add_accounts(archive)
    named = f"<DFeReferenciado><chaveAcesso>{key(1)}</chaveAcesso><nItem>1</nItem></DFeReferenciado></det>"
    referring = note(3).replace(b"</det>", named.encode(), 1)
    contents = store(
        archive,
        *(note(1, refers=key(7), order="900"), note(2), referring, note(1, total="20.00"), cancellation(1)),
        *(VOIDING, PLAIN, ANSWER),
    )
    observe(archive, 1)
    observe(archive, 1, account=2, subtype="return", hub_id="fd-2")
    download(archive, contents[0])
    with archive.writing() as transaction:
        basis = verdicts.basis_id(transaction, 1, b"trust")
        found = (Judgement(verdicts.DOCUMENT, 0, 0, "oooooooooo"),)
        verdicts.record(transaction, [JudgedContent(contents[0], basis, found)])
    assert health.verify_vault(archive).rows == ()
    return archive


def found_in(archive: Archive) -> set[tuple[str, str]]:
    verification = health.verify_vault(archive)
    places = {(one.table, one.column) for one in verification.differences}
    places |= {(entry.kind, entry.reason) for entry in verification.broken}
    return places | {(entry.invariant.table, entry.invariant.column) for entry in verification.violations}


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_compared(full: Archive, path: Path, table: str) -> None:
    keys = [column.name for column in metadata.tables[table].primary_key]
    missed = set()
    for column in metadata.tables[table].columns:
        stored = rows(path, f"SELECT {', '.join(keys)}, {column.name} FROM {table}")
        assert stored, f"the archive has no {table}"
        *numbers, value = next((row for row in stored if row[-1] is not None), stored[0])
        where = " AND ".join(f"{name} = ?" for name in keys)
        changed = value + 1000 if column.primary_key and isinstance(value, int) else other(value, str(column.type))
        with edited(path, f"UPDATE {table} SET {column.name} = ? WHERE {where}", changed, *numbers) as count:
            assert count == 1, (table, column.name)
            if not found_in(full) & {(table, column.name), (table, WHOLE_ROW)}:
                missed.add((table, column.name))
    assert missed <= BY_OTHERS


def test_a_difference_names_its_key(full: Archive, path: Path) -> None:
    sql = "UPDATE document SET state = 'denied' WHERE access_key = ?"
    with edited(path, sql, key(2)):
        (entry,) = health.verify_vault(full).rows
        assert entry.differences == (ValueDifference("document", key(2), "state"),)
    with edited(path, "UPDATE taxpayer SET name = 'X' WHERE tax_id = ?", EMITTER):
        named = {one for entry in health.verify_vault(full).rows for one in entry.differences}
        assert named == {ValueDifference("taxpayer", EMITTER, "name")}
    with edited(path, "UPDATE item SET total = 1 WHERE document_id = 2"):
        (entry,) = health.verify_vault(full).rows
        assert entry.differences == (ValueDifference("item", key(2), "total"),)


def test_a_share_looks_at_its_blocks_and_the_first_one_at_what_holds_between_rows(full: Archive, path: Path) -> None:
    with edited(path, "UPDATE document SET is_current = 0 WHERE access_key = ?", key(2)):
        first, second = (health.verify_vault(full, part=health.VaultShare(number, 2)) for number in (1, 2))
        assert [one.key for one in first.differences] == [key(2)]
        assert {entry.invariant.name for entry in first.violations} == {
            invariants.A_VERSION_IS_CURRENT.name,
            invariants.BELONGING_IS_CURRENT.name,
        }
        assert (second.differences, second.violations) == ((), ())
