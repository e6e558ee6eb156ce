"""How pages are asked for and told, which dates are taken, what does not show as a change, by shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.sandbox_hub.web.client import Client, error_of, name_of, sandbox

WORLD: dict[str, Any] = {"documents": 120, "seed": 9}
LISTS = ("/fiscalDocuments", "/orders", "/returns")


@pytest.fixture(scope="module")
def plain() -> dict[str, list[dict[str, Any]]]:
    with sandbox(**WORLD) as client:
        return {path: client.all(path) for path in LISTS}


def names_of(items: list[dict[str, Any]]) -> list[str]:
    return [name_of(item) for item in items]


def test_offsets_that_are_refused_or_rounded(plain: dict[str, list[dict[str, Any]]]) -> None:
    with sandbox(**WORLD, shape=("whole-pages",)) as client:
        for path in LISTS[:2]:
            assert client.all(path) == plain[path]
            assert "múltiplo" in error_of(client.get(path, limit=20, offset=18))["message"]
            assert client.ok(path, limit=20, offset=20)["content"] == plain[path][20:40]
    with sandbox(**WORLD, shape=("rounded-pages",)) as client:
        page = client.ok("/fiscalDocuments", limit=20, offset=39)
        assert page == client.ok("/fiscalDocuments", limit=20, offset=20)
        assert page["content"] == plain["/fiscalDocuments"][20:40]


@pytest.mark.parametrize("base", [0, 1])
def test_pages_by_their_number(plain: dict[str, list[dict[str, Any]]], base: int) -> None:
    with sandbox(**WORLD, shape=(f"page-base-{base}",)) as client:
        for path in LISTS[:2]:
            whole = plain[path]
            assert client.all(path) == whole  # along the links
            first = client.ok(path, limit=50)
            assert first["page"]["number"] == base
            assert client.ok(path, limit=50, page=base + 1)["content"] == whole[50:100]
            assert client.ok(path, limit=50, page=base + 9)["content"] == []
            assert client.ok(path, limit=50, offset=50) == first  # unknown here, and ignored
        if base:
            assert client.get("/orders", page=0).status_code == 400
    with sandbox(**WORLD, shape=(f"page-base-{base}", "strict")) as client:
        assert client.get("/fiscalDocuments", limit=50, offset=50).status_code == 400
        assert client.ok("/fiscalDocuments", limit=50, page=base + 1)["content"] == plain["/fiscalDocuments"][50:100]


def test_what_stands_around_the_items(plain: dict[str, list[dict[str, Any]]]) -> None:
    whole = plain["/orders"]
    with sandbox(**WORLD, shape=("pages-only",)) as client:
        page = client.ok("/orders", limit=20, offset=20)
        assert page == {"content": whole[20:40], "page": {"totalPages": -(-len(whole) // 20), "number": 1}}
    with sandbox(**WORLD, shape=("no-totals",)) as client:
        page = client.ok("/orders", limit=20, offset=20)
        assert page["content"] == whole[20:40]
        assert set(page) == {"links", "content"}
        assert [link["rel"] for link in page["links"]] == ["self", "next"]
    with sandbox(**WORLD, shape=("bare-list",)) as client:
        assert client.ok("/orders", limit=20, offset=20) == whole[20:40]
        assert client.ok("/orders", offset=10**6) == []


def test_empty_lists_without_a_body_or_not_found() -> None:
    for shape, status in (("empty-204", 204), ("empty-404", 404)):
        with sandbox(**WORLD, shape=(shape,)) as client:
            for path in LISTS:
                assert client.ok(path)["content"]
                empty = client.get(path, offset=10**6)
                assert empty.status_code == status
                assert empty.content == b"" or error_of(empty)["code"] == "NOT_FOUND"


DAY, PLAIN, LOCAL, MILLIS = "2026-03-01", "2026-03-01T10:00:00-03:00", "2026-03-01T10:00:00", "2026-03-01T13:00:00.000Z"


@pytest.mark.parametrize(
    ("shape", "taken"),
    [
        ("dates-date-only", {DAY}),
        ("dates-no-zone", {LOCAL}),
        ("dates-milliseconds", {MILLIS}),
        ("dates-refused", set[str]()),
    ],
)
def test_dates_of_one_form_alone(shape: str, taken: set[str]) -> None:
    filters = [
        *(("/fiscalDocuments", f"{kind}{end}") for kind in ("createdAt", "lastUpdate") for end in ("From", "To")),
        *((path, name) for path in ("/orders", "/returns") for name in ("createdAfter", "createdBefore")),
    ]
    with sandbox(**WORLD) as same, sandbox(**WORLD, shape=(shape,)) as client:
        for path, name in filters:
            for text in (DAY, PLAIN, LOCAL, MILLIS):
                answer = client.get(path, limit=100, **{name: text})
                if text not in taken:
                    assert answer.status_code == 400
                    assert name in error_of(answer)["message"]
                    continue
                meant = PLAIN if text == LOCAL else text
                assert answer.json()["content"] == same.ok(path, limit=100, **{name: meant})["content"]
        assert client.ok("/fiscalDocuments", limit=100)["content"]


def test_events_that_do_not_show_as_a_change() -> None:
    with sandbox(documents=400, seed=9, shape=("silent-events",)) as client:
        everything = client.all("/fiscalDocuments")
        assert sum(len(item["history"]) > 1 for item in everything) > 20
        assert all(item["lastUpdate"] == item["createdAt"] for item in everything)
        window = {"lastUpdateFrom": "2026-04-01", "lastUpdateTo": "2026-06-30", "createdAtTo": "2026-05-31"}
        expected = [item for item in everything if "2026-04-01" <= item["createdAt"] < "2026-06-01"]
        assert names_of(client.all("/fiscalDocuments", **window)) == names_of(expected)
        sale = next(item for item in everything if item["subtype"] == "sale" and len(item["history"]) == 1)
        assert client.cancel(sale["documentKey"]).status_code == 200
        now = client.detail(sale)
        assert (now["lastUpdate"], len(now["history"])) == (sale["lastUpdate"], 2)


def gone(before: list[dict[str, Any]], client: Client) -> set[str]:
    left = set(names_of(client.all("/fiscalDocuments")))
    return set(names_of(before)) - left


def test_documents_disappear_when_the_clock_is_moved_on(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    begin = "2026-06-01T00:00:00-03:00"
    with sandbox(documents=400, seed=9, shape=("gone",), clock=begin, state_file=state) as client:
        before = client.all("/fiscalDocuments")
        client.move_clock("2026-05-31T00:00:00-03:00")
        assert names_of(client.all("/fiscalDocuments")) == names_of(i for i in before if i["createdAt"] < "2026-05-31")
        client.move_clock("2026-07-01T00:00:00-03:00")
        lost = gone(before, client)
        assert 2 < len(lost) < 20
        for item in before:
            assert (client.get(f"/fiscalDocuments/{item['id']}").status_code == 404) == (name_of(item) in lost)
        total = client.ok("/fiscalDocuments")["page"]["totalElements"]
        assert total == len(client.all("/fiscalDocuments"))
        changed = client.all("/fiscalDocuments", lastUpdateFrom="2025-01-01")
        assert len(changed) == total
    with sandbox(documents=400, seed=9, shape=("gone",), state_file=state) as client:
        assert gone(before, client) == lost


def test_the_panel_forgets_what_it_is_told_to() -> None:
    with sandbox(documents=60, seed=9) as client:
        before = client.all("/fiscalDocuments")
        first, second = before[3], before[9]
        files = client.panel("files")
        assert client.forget(first["id"], "fd-x").status_code == 404
        assert gone(before, client) == set()
        assert client.forget(first["id"], second["id"]).json() == {"forgotten": 2}
        assert gone(before, client) == {name_of(first), name_of(second)}
        assert client.get(f"/fiscalDocuments/{first['id']}").status_code == 404
        assert error_of(client.forget(first["id"]))["code"] == "NOT_FOUND"
        assert files["files"] - client.panel("files")["files"] == len(first["history"]) + len(second["history"])
        assert client.http.post(f"{client.hub.panel}/forget", json={"ids": []}).status_code == 403
