"""Which content of a key is current: the same one for every order of arrival and every combination of verdicts."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.archive.accounts import audit
from confere.archive.authenticity import verdicts
from confere.archive.authenticity.verdicts import DOCUMENT, JudgedContent
from confere.archive.documents.recompute import CURRENT_CHANGED
from confere.archive.store import Archive
from confere.archive.vault.vault import digest_of
from confere.fiscal.authenticity.verdict import Verdict
from tests.archive.authenticity.test_verdicts import BAD, GOOD, OPEN
from tests.archive.papers import key, note, store

VERDICTS: dict[str, Verdict | None] = {"ok": GOOD, "unchecked": OPEN, "failed": BAD, "not judged": None}
_PLACE = {"ok": 0, "unchecked": 1, "not judged": 1, "failed": 2}


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "archive.sqlite3"
    Archive.to_write(path, "test").close()
    return path


def current_of(
    empty: Path, contents: Sequence[tuple[bytes, str]], arrival: Sequence[int], judged: Sequence[int], at_once: bool
) -> str:
    """Let these come in this order and be judged in that one, or each as it comes; the SHA-256 that is current then.

    Every change of it but the first coming is a line of the audit trail.
    """
    path = empty.with_name("tried.sqlite3")
    shutil.copy(empty, path)
    with Archive.to_write(path, "test") as archive:
        ids: dict[int, int] = {}
        seen: list[str] = []
        for number in arrival:
            ids[number] = store(archive, contents[number][0])[0]
            seen.append(_shown(archive))
            if at_once:
                _judge(archive, ids[number], contents[number][1])
                seen.append(_shown(archive))
        for number in judged if not at_once else ():
            _judge(archive, ids[number], contents[number][1])
            seen.append(_shown(archive))
        with archive.reading() as transaction:
            told = [line for line in audit.page(transaction, 100) if line.action == CURRENT_CHANGED]
    # One that takes its place in the very moment of its coming is told too.
    assert len(told) >= sum(one != other for one, other in itertools.pairwise(seen))
    assert all(line.subject == key(1) and len((line.detail or "").split()) == 3 for line in told)
    return seen[-1]


def _shown(archive: Archive) -> str:
    with archive.reading() as transaction:
        ((digest,),) = transaction.fetch(
            "SELECT c.digest FROM document d JOIN content c ON c.id = d.content_id WHERE d.is_current = 1"
        )
    return str(digest.hex())


def _judge(archive: Archive, content_id: int, name: str) -> None:
    verdict = VERDICTS[name]
    if verdict is not None:
        with archive.writing() as transaction:
            basis = verdicts.basis_id(transaction, 1, b"trust")
            packed = verdicts.pack(DOCUMENT, 0, verdict)
            verdicts.record(transaction, [JudgedContent(content_id, basis, (packed,))])


def expected(contents: Sequence[tuple[bytes, str]]) -> str:
    """By the rule book, computed apart from the program: verdict, authorization, time of the answer, SHA-256."""

    def rank(entry: tuple[bytes, str]) -> tuple[int, bool, bool, str, str]:
        data, name = entry
        cstat = data.partition(b"<cStat>")[2][:3].decode() or None
        at = data.partition(b"<dhRecbto>")[2][:19].decode() or "~"
        return _PLACE[name], cstat != "100", cstat is None, at, digest_of(data).hex()

    return digest_of(min(contents, key=rank)[0]).hex()


def made(total: str = "10.00", cstat: str | None = "100", minute: int = 1) -> bytes:
    return note(1, total=total, cstat=cstat).replace(b"T10:01:00", f"T10:{minute:02d}:00".encode())


THREE = (made(), made("99999.99"), made(minute=2))


@pytest.mark.parametrize(
    "named",
    # Every fifth of the 64 in a usual run: each verdict is in each place of them.
    [
        pytest.param(named, marks=() if number % 5 == 0 else pytest.mark.exhaustive)
        for number, named in enumerate(itertools.product(VERDICTS, repeat=3))
    ],
    ids="-".join,
)
def test_of_three_contents_the_same_is_current_in_every_order(empty: Path, named: tuple[str, ...]) -> None:
    contents = list(zip(THREE, named, strict=True))
    best = expected(contents)
    for turn, arrival in enumerate(itertools.permutations(range(3))):
        assert current_of(empty, contents, arrival, arrival[::-1], at_once=turn % 2 == 0) == best


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    contents=st.lists(
        st.tuples(
            st.builds(
                made,
                st.sampled_from(["10.00", "99999.99", "11.00"]),
                st.sampled_from(["100", "100", "110", None]),
                st.integers(1, 2),
            ),
            st.sampled_from(list(VERDICTS)),
        ),
        min_size=2,
        max_size=3,
        unique_by=lambda entry: entry[0],
    ),
    data=st.data(),
)
def test_of_any_contents_the_same_is_current(
    empty: Path, contents: list[tuple[bytes, str]], data: st.DataObject
) -> None:
    orders = st.permutations(range(len(contents)))
    arrival, judged = data.draw(orders), data.draw(orders)
    assert current_of(empty, contents, arrival, judged, data.draw(st.booleans())) == expected(contents)
