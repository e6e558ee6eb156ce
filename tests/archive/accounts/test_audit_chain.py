"""The audit trail as a chain: whatever is done to a line is found there, and nothing else is."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.archive.accounts import audit, audit_chain
from confere.archive.accounts.audit_chain import START, AuditBreak, AuditChain
from confere.archive.maintenance.salvage import rebuild
from confere.archive.store import Archive

LINES = 6


@pytest.fixture
def written(path: Path) -> Path:
    with Archive.to_write(path, "test") as archive, archive.writing() as transaction:
        for number in range(1, LINES + 1):
            audit.write(transaction, f"act {number}", "subject", f"detail {number}" if number % 2 else None)
    return path


def verified(path: Path) -> AuditChain:
    with Archive.to_read(path) as archive, archive.reading() as transaction:
        return audit_chain.verify(transaction)


def edit(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_a_line_is_hashed_as_the_docstring_says(written: Path) -> None:
    previous = START
    with closing(sqlite3.connect(written)) as database:
        for number, at, actor, action, subject, detail, salt, chained in database.execute(
            "SELECT id, at, actor, action, subject, detail, salt, hash FROM audit ORDER BY id"
        ):
            digest = None if detail is None else hashlib.sha256(salt + detail.encode()).hexdigest()
            told = ["confere audit 1", number, at, actor, action, subject, digest, previous.hex()]
            text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
            previous = hashlib.sha256(text.encode()).digest()
            assert chained == previous
    assert verified(written) == AuditChain(LINES, previous.hex(), ())


@pytest.mark.parametrize(
    ("statements", "where"),
    [
        (["UPDATE audit SET at = '2001' WHERE id = 3"], {(3, AuditBreak.EDITED)}),
        (["UPDATE audit SET detail = 'other' WHERE id = 3"], {(3, AuditBreak.TEXT_EDITED)}),
        (["UPDATE audit SET detail = 'other', salt = NULL WHERE id = 3"], {(3, AuditBreak.TEXT_EDITED)}),
        (["UPDATE audit SET detail = 'other' WHERE id = 4"], {(4, AuditBreak.TEXT_EDITED)}),
        (["DELETE FROM audit WHERE id = 3"], {(4, AuditBreak.LINES_MISSING)}),
        (["DELETE FROM audit WHERE id <= 2"], {(3, AuditBreak.LINES_MISSING)}),
        ([f"DELETE FROM audit WHERE id = {LINES}"], {(LINES - 1, AuditBreak.END_MISSING)}),
        (["DELETE FROM audit"], {(0, AuditBreak.END_MISSING)}),
        (
            ["INSERT INTO audit (at, actor, action, subject) VALUES ('2026', 'bob', 'x', 'y')"],
            {(LINES + 1, AuditBreak.NOT_CHAINED), (LINES + 1, AuditBreak.END_MISSING)},
        ),
        (
            [f"UPDATE audit SET id = {number} WHERE id = {old}" for old, number in ((3, 99), (4, 3), (99, 4))],
            {
                (3, AuditBreak.EDITED), (3, AuditBreak.LINES_MISSING), (4, AuditBreak.EDITED),
                (4, AuditBreak.LINES_MISSING), (5, AuditBreak.LINES_MISSING),
            },
        ),
        (["UPDATE info SET value = '1 00' WHERE name = 'audit head'"], {(LINES, AuditBreak.END_MISSING)}),
    ],
)  # fmt: skip
def test_what_is_done_to_a_line_is_found_there(
    written: Path, statements: list[str], where: set[tuple[int, AuditBreak]]
) -> None:
    edit(written, *statements)
    found = verified(written)
    assert {(line.number, line.broken) for line in found.broken} == where
    assert not found.holds


def test_lines_go_on_after_a_transaction_that_came_to_nothing(written: Path) -> None:
    with Archive.to_write(written, "test") as archive:
        with pytest.raises(ZeroDivisionError), archive.writing() as transaction:
            audit.write(transaction, "never", "x")
            raise ZeroDivisionError
        with archive.writing() as transaction:
            audit.write(transaction, "after", "x")
    assert verified(written).broken == ()
    assert verified(written).lines == LINES + 1


def test_lines_that_a_damaged_file_lost_are_told_and_accepted_once(written: Path) -> None:
    edit(written, "DELETE FROM audit WHERE id IN (2, 3)", f"DELETE FROM audit WHERE id = {LINES}")
    for expected in ((4, LINES + 1), ()):
        with Archive.to_write(written, "test") as archive, archive.writing() as transaction:
            assert audit.accept_losses(transaction) == expected
    found = verified(written)
    assert found.holds
    assert {(line.number, line.broken) for line in found.broken} == {
        (4, AuditBreak.LOST_IN_REPAIR), (LINES + 1, AuditBreak.LOST_IN_REPAIR),
    }  # fmt: skip
    edit(written, "DELETE FROM audit WHERE id = 5")
    assert not verified(written).holds


def test_a_file_made_anew_keeps_the_chain(written: Path) -> None:
    before = verified(written)
    rebuild(written)
    assert verified(written) == before


def test_taking_a_text_out_holds_only_for_the_text_that_it_left(written: Path) -> None:
    with Archive.to_write(written, "test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE audit SET detail = '(erased) 3' WHERE id = 3")
        audit.texts_erased(transaction, [3])
    assert verified(written).broken == ()
    edit(written, "UPDATE audit SET detail = '(erased) 4' WHERE id = 3")
    assert {(line.number, line.broken) for line in verified(written).broken} == {(3, AuditBreak.TEXT_EDITED)}


@given(st.lists(st.text(), min_size=5, max_size=5), st.integers(0, 4), st.text())
def test_no_two_lines_have_one_encoding(texts: list[str], at: int, other: str) -> None:
    changed = [*texts[:at], other, *texts[at + 1 :]]
    hashes = [
        audit_chain.line_hash(1, each[0], each[1], each[2], each[3], each[4].encode("utf-8", "replace"), START)
        for each in (texts, changed)
    ]
    same = [text.encode("utf-8", "replace") for text in texts] == [text.encode("utf-8", "replace") for text in changed]
    assert (hashes[0] == hashes[1]) == same


def test_a_salt_without_a_text_is_found(written: Path) -> None:
    with Archive.to_write(written, "test") as archive, archive.writing() as transaction:
        audit.write(transaction, "without a text", "x")
    edit(written, f"UPDATE audit SET salt = x'01' WHERE id = {LINES + 1}")
    assert [(line.number, line.broken) for line in verified(written).broken] == [(LINES + 1, AuditBreak.TEXT_EDITED)]
